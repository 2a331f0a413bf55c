"""The same meaning in a lower form, and programs written from it that play fast."""
