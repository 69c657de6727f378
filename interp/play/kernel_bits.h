/* The interpreted kernels are there twice on x86-64: a program for all its processors may not count
 * or pick out bits in one instruction, nearly every one that runs it can, and the kernel does little
 * else. What kernel_N_bits.c includes first; KERNEL_BITS: the compiler can make them. */
#ifndef KERNEL_BITS_H
#define KERNEL_BITS_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)
#define KERNEL_BITS
#ifdef KERNEL_BITS_HERE
#pragma GCC target("popcnt,bmi,bmi2")
#endif
#endif

#endif
