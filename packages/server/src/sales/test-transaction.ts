/** Generates ids for test sales without one, `test_txn_<timestamp>`, unique on this node. */
export function createTestTransactionIds(now: () => Date): () => string {
  let last = 0;
  return () => {
    last = Math.max(last + 1, now().getTime());
    return `test_txn_${last}`;
  };
}
