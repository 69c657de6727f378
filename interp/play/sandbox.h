/* A Lua state in which a stranger's script can do no harm: whitelisted functions, no way to
 * catch an error, bounded instructions, memory and work in C, nothing that differs between
 * two runs (no addresses, no clock, no chance, no order of hashing). One state serves one
 * call and is thrown away, so that nothing survives. */
#ifndef SANDBOX_H
#define SANDBOX_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

enum {
  SANDBOX_INSTRUCTIONS = 1000000,  /* of the virtual machine, each call */
  SANDBOX_MEMORY = 8 << 20,        /* bytes held at a time */
  SANDBOX_TRAFFIC = 256 << 20,     /* bytes asked for in the whole call */
  SANDBOX_TEXT = 4 << 10,          /* bytes of one text */
  SANDBOX_BLOCK = 128 << 10,       /* bytes of one table or of the stack: what one instruction
                                      can copy */
  SANDBOX_WORK = 20000000          /* units of work done in C for the script */
};

typedef struct Sandbox {
  lua_State *L;
  size_t held, traffic;
  long work;        /* left */
  bool full;        /* an allocation was refused */
  bool text_too_long;
  int line;         /* where that was, or 0 */
  void *user;       /* for the functions that the owner adds */
} Sandbox;

/* False if not even the state fits (never in practice). The caller closes it. */
bool sandbox_open(Sandbox *box, void *user);
void sandbox_close(Sandbox *box);
/* The sandbox of a state, for functions called from the script. */
Sandbox *sandbox_of(lua_State *L);
/* Takes work from the budget; an error in the script when it is used up. */
void sandbox_charge(lua_State *L, double units);

#endif
