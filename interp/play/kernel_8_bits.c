/* kernel_8.c for processors that count bits at once. */
#define KERNEL_BITS_HERE
#include "play/kernel_bits.h"
#ifdef KERNEL_BITS
#define WORDS 8
#define KERNEL kernel_8_bits
#include "play/kernel_width.inc"
#endif
