import type { BatchItemType } from '@svc/contract';

/** An item of a batch: what kind it is, and the names of whom and what it is about. */
export type OrderedItem = {
  type: BatchItemType;
  names: string[];
  /** True if it can change a customer's attribution, which later sales in the same batch must see. */
  decidesCustomer?: boolean;
};

/**
 * Puts the items of a batch into waves, to be recorded one after the other: a list of positions for each. An item comes after
 * related ones of other types that were sent before it. Items of one type stay in order, because each type has one queue, and
 * there a later one sees what an earlier one changed, unless that decided whose customer it is. Everything else is recorded together. Items are related if they have a
 * name in common, directly or through `alike`: lists of names that stand for one customer.
 */
export function wavesOf(items: OrderedItem[], alike: string[][] = []): number[][] {
  const groupOf = groupNames([...items.map(({ names }) => names), ...alike]);
  const waves: number[][] = [];
  const lastOfType = new Map<BatchItemType, number>();
  /** For each group of related names, the last wave with an item of a type. */
  const lastOfGroup = new Map<string, Map<BatchItemType | 'decides', number>>();
  for (const [position, { type, names, decidesCustomer }] of items.entries()) {
    const [name] = names;
    const related = name === undefined ? new Map() : (lastOfGroup.get(groupOf(name)) ?? new Map());
    const kind = decidesCustomer ? 'decides' : type;
    const others = [...related].flatMap(([other, wave]) => (other === kind && !decidesCustomer ? [] : [wave + 1]));
    const wave = Math.max(lastOfType.get(type) ?? 0, ...others);
    lastOfType.set(type, wave);
    if (name !== undefined) lastOfGroup.set(groupOf(name), related.set(kind, wave));
    waves[wave] ??= [];
    waves[wave].push(position);
  }
  return waves;
}

/** Joins lists of names that have one in common. Returns a function that gives the same text for every name of a group. */
function groupNames(lists: string[][]): (name: string) => string {
  const parents = new Map<string, string>();
  const rootOf = (name: string): string => {
    let root = name;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    // Otherwise a long chain would be walked again for every name.
    if (root !== name) parents.set(name, root);
    return root;
  };
  for (const [first, ...others] of lists) {
    for (const other of others) {
      const [one, two] = [rootOf(first as string), rootOf(other)];
      if (one !== two) parents.set(two, one);
    }
  }
  return rootOf;
}
