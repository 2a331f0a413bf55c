/* Lets the n-th call of one kind fail, as a system does that refuses it: loaded before the C library (LD_PRELOAD).

   A process arms itself with `arm`, or is armed from its beginning by FAULT_KIND, FAULT_N and FAULT_ERRNO. What
   concerns it is said in FAULT_BELOW: beginnings of names of files, parted by colons. FAULT_HIT names a file that is
   made once a call has failed. Programs that it starts are left alone. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static char kind[16], below[4096], hit[4096];
static int number, error, ever, in_worker, partial;
static volatile int counted;
static pid_t first;

/* How often each kind of call was made; whoever asks for it arms no kind and finds it beside the name in FAULT_HIT. */
static const char *const kinds[] = {"open", "read", "write", "sync", "close", "rename", "truncate", "folder", "spawn",
                                    "thread", "pipe"};
#define KINDS (sizeof kinds / sizeof *kinds)
static volatile int made[KINDS];

static void copy(char *to, size_t size, const char *name) {
    snprintf(to, size, "%s", getenv(name) ? getenv(name) : "");
}

static int whole(const char *name) { return getenv(name) ? atoi(getenv(name)) : 0; }

/* Let a call fail: open, read, write, sync, close, rename, truncate, folder, spawn, thread or pipe. With `later` all
   that follow fail, too; with `worker` calls are counted in each process that this one forks, and not in this one. */
void arm(const char *what, int at, int code, int later, int worker) {
    snprintf(kind, sizeof kind, "%s", what);
    number = at;
    error = code;
    ever = later;
    in_worker = worker;
    counted = partial = 0;
    memset((void *)made, 0, sizeof made);
    first = getpid();
}

__attribute__((destructor)) static void end(void) {
    char name[sizeof hit + 8];
    if (kind[0] || getpid() != first || !hit[0]) return;
    snprintf(name, sizeof name, "%s.made", hit);
    FILE *file = fopen(name, "w");
    for (size_t at = 0; file && at < KINDS; at++) fprintf(file, "%s %d\n", kinds[at], made[at]);
    if (file) fclose(file);
}

__attribute__((constructor)) static void begin(void) {
    copy(below, sizeof below, "FAULT_BELOW");
    copy(hit, sizeof hit, "FAULT_HIT");
    arm(getenv("FAULT_KIND") ? getenv("FAULT_KIND") : "", whole("FAULT_N"), whole("FAULT_ERRNO"), 0, 0);
    unsetenv("LD_PRELOAD");
}

/* Count a call of a kind that concerns us; return whether it fails. */
static int fails(const char *what) {
    for (size_t at = 0; at < KINDS; at++)
        if (strcmp(kinds[at], what) == 0) __sync_add_and_fetch(&made[at], 1);
    if (!number || strcmp(kind, what) != 0 || (getpid() != first) != in_worker) return 0;
    int at = __sync_add_and_fetch(&counted, 1);
    if (at != number && !(ever && at > number)) return 0;
    int file = syscall(SYS_openat, AT_FDCWD, hit, O_CREAT | O_WRONLY, 0666);
    if (file >= 0) syscall(SYS_close, file);
    errno = error;
    return 1;
}

static int concerned(const char *name) {
    for (const char *at = below; *at;) {
        size_t length = strcspn(at, ":");
        if (strncmp(name, at, length) == 0) return 1;
        at += length + (at[length] == ':');
    }
    return 0;
}

static int concerns(int file) {
    char place[64], name[4096];
    snprintf(place, sizeof place, "/proc/self/fd/%d", file);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, place, name, sizeof name - 1);
    if (length < 0) return 0;
    name[length] = 0;
    return concerned(name);
}

#define REAL(name) __typeof__(name) *real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    REAL(open64);
    return concerned(path) && fails("open") ? -1 : real(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    REAL(open);
    return concerned(path) && fails("open") ? -1 : real(path, flags, mode);
}

ssize_t read(int file, void *to, size_t size) {
    REAL(read);
    return concerns(file) && fails("read") ? -1 : real(file, to, size);
}

ssize_t write(int file, const void *from, size_t size) {
    REAL(write);
    if (partial && concerns(file)) {
        partial = 0;
        errno = error;
        return -1;
    }
    if (!concerns(file) || !fails("write")) return real(file, from, size);
    if (error != ENOSPC || size < 2 || counted != number) return -1;
    partial = 1; /* a part finds room, and the next call finds none */
    return real(file, from, size / 2);
}

int fsync(int file) {
    REAL(fsync);
    return concerns(file) && fails("sync") ? -1 : real(file);
}

int close(int file) {
    REAL(close);
    if (concerns(file) && fails("close")) {
        real(file);
        errno = error;
        return -1;
    }
    return real(file);
}

int rename(const char *from, const char *to) {
    REAL(rename);
    return concerned(to) && fails("rename") ? -1 : real(from, to);
}

int ftruncate64(int file, off64_t size) {
    REAL(ftruncate64);
    return concerns(file) && fails("truncate") ? -1 : real(file, size);
}

int ftruncate(int file, off_t size) {
    REAL(ftruncate);
    return concerns(file) && fails("truncate") ? -1 : real(file, size);
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    return concerned(path) && fails("folder") ? -1 : real(path, mode);
}

pid_t fork(void) {
    REAL(fork);
    if (fails("spawn")) return -1;
    pid_t made = real();
    if (made == 0 && in_worker) counted = 0;
    return made;
}

/* Python uses it to start programs, and may as well fork: who returns from a call cannot stand between it and vfork. */
pid_t vfork(void) { return fork(); }

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*what)(void *), void *with) {
    REAL(pthread_create);
    return fails("thread") ? error : real(thread, how, what, with);
}

int pipe2(int ends[2], int flags) {
    REAL(pipe2);
    return fails("pipe") ? -1 : real(ends, flags);
}
