/* The four functions of memory that an engine calls: those of the library, or where there is none, as in WebAssembly
 * without a system, these. A compiler must not take their loops for calls of themselves. */

#if defined(__wasm__) && !defined(__wasi__)

typedef struct { uint64_t word; } __attribute__((packed, may_alias)) brou_eight;

#define BROU_BARE __attribute__((no_builtin("memcpy", "memmove", "memset", "memcmp")))

BROU_BARE void *memcpy(void *to, const void *from, size_t count) {
    uint8_t *out = to;
    const uint8_t *in = from;
    for (; count >= sizeof(brou_eight); count -= sizeof(brou_eight), out += sizeof(brou_eight), in += sizeof(brou_eight))
        ((brou_eight *)out)->word = ((const brou_eight *)in)->word;
    while (count--) *out++ = *in++;
    return to;
}

BROU_BARE void *memmove(void *to, const void *from, size_t count) {
    uint8_t *out = to;
    const uint8_t *in = from;
    if (out <= in) while (count--) *out++ = *in++;
    else while (count--) out[count] = in[count];
    return to;
}

BROU_BARE void *memset(void *to, int byte, size_t count) {
    uint8_t *out = to;
    while (count--) *out++ = (uint8_t)byte;
    return to;
}

BROU_BARE int memcmp(const void *one, const void *two, size_t count) {
    const uint8_t *a = one, *b = two;
    for (; count--; a++, b++) if (*a != *b) return *a - *b;
    return 0;
}

#else
#include <string.h>
#endif
