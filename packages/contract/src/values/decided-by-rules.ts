/** Whether the commission rules had a say in a decision: a sale that was refused, or that nobody brought, was decided without them. */
export function isDecidedByRules({ kind, outcome }: { kind: string; outcome: string }): boolean {
  return outcome !== 'refused' && !(kind === 'sale' && outcome === 'not_attributed');
}
