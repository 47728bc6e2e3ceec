import type { Chance } from './chance.ts';

/** Different orders of so many steps, as positions: all of them if there are at most so many, or as many as are asked for. */
export function drawOrders(chance: Chance, steps: number, most: number): number[][] {
  const possible = Array.from({ length: steps }, (_, index) => index + 1).reduce((product, next) => product * next, 1);
  const orders = new Map<string, number[]>();
  while (orders.size < Math.min(possible, most)) {
    const left = Array.from({ length: steps }, (_, index) => index);
    const order = left.slice().map(() => left.splice(chance.below(left.length), 1)[0] as number);
    orders.set(order.join(), order);
  }
  return [...orders.values()];
}
