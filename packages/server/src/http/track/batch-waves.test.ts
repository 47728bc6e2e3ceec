import { describe, expect, it } from 'vitest';
import { wavesOf } from './batch-waves.ts';

const lead = (...names: string[]) => ({ type: 'lead' as const, names });
const sale = (...names: string[]) => ({ type: 'sale' as const, names });
const refund = (...names: string[]) => ({ type: 'refund' as const, names });

describe('the waves of a batch', () => {
  it('records items of one type together, related or not', () => {
    expect(wavesOf([sale('ann'), sale('ben'), sale('ann'), sale()])).toEqual([[0, 1, 2, 3]]);
  });

  it('records unrelated items of different types together', () => {
    expect(wavesOf([lead('ann'), sale('ben'), refund('order 1')])).toEqual([[0, 1, 2]]);
  });

  it('records the leads of an import before the sales of the same customers, and those before their refunds', () => {
    const life = (name: string) => [lead(name), sale(name, `order of ${name}`), refund(`order of ${name}`)];
    expect(wavesOf([...life('ann'), ...life('ben'), ...life('cay')])).toEqual([
      [0, 3, 6],
      [1, 4, 7],
      [2, 5, 8],
    ]);
  });

  it('keeps the order of related items of different types, whichever comes first', () => {
    expect(wavesOf([sale('ann'), lead('ann'), sale('ann')])).toEqual([[0], [1], [2]]);
  });

  it('keeps items of one type in order, also where a later one could go first', () => {
    expect(wavesOf([lead('ann'), sale('ann'), sale('ben'), refund('ben')])).toEqual([[0], [1, 2], [3]]);
  });

  it('relates items through the names of another one, and through names that stand for one customer', () => {
    expect(wavesOf([lead('click'), sale('key'), lead('click', 'key')])).toEqual([[0], [1], [2]]);
    expect(wavesOf([lead('click'), sale('key')], [['click', 'key']])).toEqual([[0], [1]]);
  });

  it('records a sale that may decide whose customer it is before later sales to them, and after earlier ones', () => {
    const coupon = (...names: string[]) => ({ ...sale(...names), decidesCustomer: true });
    expect(wavesOf([coupon('ann'), sale('ann'), sale('ann'), coupon('ann')])).toEqual([[0], [1, 2], [3]]);
    expect(wavesOf([coupon('ann'), coupon('ben'), coupon(), sale('cay')])).toEqual([[0, 1, 2, 3]]);
  });

  it('puts every item into exactly one wave', () => {
    const items = Array.from({ length: 1_000 }, (_, index) => [lead, sale, refund][index % 3]!(`n${index % 7}`));
    const positions = wavesOf(items).flat();
    expect([...positions].sort((a, b) => a - b)).toEqual(items.map((_, index) => index));
  });
});
