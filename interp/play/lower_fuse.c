/* Two operations that one does sooner, when the list is known. */
#include "play/lower.h"

#include <string.h>

/* How often each register of sets is read. */
static int *set_reads(const Lower *l) {
  const Program *p = l->p;
  size_t size = (l->set_block.n + 1) * sizeof(int);
  int *reads = memset(memory_resize(NULL, size), 0, size);
  for (int i = 0; i < p->ops; i++) {
    const Op *op = &p->op[i];
    const char *form = op_form(op->code);
    int at = form[0] == '_' ? 0 : 1;
    for (int k = 0; form[2 + k] && form[2 + k] != '0'; k++)
      if (form[2 + k] == 'S' && op->a[at + k] >= 0) reads[op->a[at + k]]++;
  }
  return reads;
}

/* A flood that is only asked whether it meets something may stop where it does. */
void lower_fuse(Lower *l) {
  Program *p = l->p;
  int *reads = set_reads(l);
  for (int i = 0; i + 1 < p->ops; i++) {
    Op *flood = &p->op[i], *meet = flood + 1;
    if (flood->code != O_set_flood || meet->code != O_set_meet || reads[flood->a[0]] != 1) continue;
    if (meet->a[1] != flood->a[0] && meet->a[2] != flood->a[0]) continue;
    int32_t wanted = meet->a[1] == flood->a[0] ? meet->a[2] : meet->a[1];
    meet->code = O_flood_meets;
    meet->a[1] = flood->a[1];
    meet->a[2] = flood->a[2];
    meet->a[3] = wanted;
    flood->code = O_nothing;
  }
  memory_resize(reads, 0);
}
