import { randomUUID } from 'node:crypto';

export type Product = { id: string; name: string; note: string; priceCents: number };
export type Order = { id: string; product: string; amountCents: number; refundedCents: number };
export type Account = { key: string; email: string; orders: Order[] };

export const PRODUCTS: Product[] = [
  { id: 'beans', name: 'House beans, 1 kg', note: 'Dark chocolate, a little cherry', priceCents: 2400 },
  { id: 'kettle', name: 'Gooseneck kettle', note: 'Pours as slowly as you like', priceCents: 8900 },
];

const CURRENCY = 'USD';

/** The shop's backend: it keeps accounts and orders, and reports payments and refunds to the service. */
export class ShopBackend {
  readonly #accounts = new Map<string, Account>();
  readonly #serviceUrl: string;
  readonly #apiKey: string;
  readonly #newId: () => string;

  constructor(serviceUrl: string, apiKey: string, newId = () => randomUUID().slice(0, 8)) {
    this.#serviceUrl = serviceUrl;
    this.#apiKey = apiKey;
    this.#newId = newId;
  }

  signUp(email: string): Account {
    const account: Account = { key: `user_${this.#newId()}`, email, orders: [] };
    this.#accounts.set(account.key, account);
    return account;
  }

  account(key: string | undefined): Account | null {
    return this.#accounts.get(key ?? '') ?? null;
  }

  async buy(account: Account, productId: string): Promise<Order | null> {
    const product = PRODUCTS.find(({ id }) => id === productId);
    if (!product) return null;
    const id = `order_${this.#newId()}`;
    const order: Order = { id, product: product.name, amountCents: product.priceCents, refundedCents: 0 };
    account.orders.push(order);
    await this.#report('sale', {
      transaction_id: order.id,
      customer_key: account.key,
      amount_cents: order.amountCents,
      currency: CURRENCY,
      product_id: product.id,
    });
    return order;
  }

  async refund(account: Account, orderId: string, part: 'half' | 'rest'): Promise<Order | null> {
    const order = account.orders.find(({ id }) => id === orderId);
    const left = order ? order.amountCents - order.refundedCents : 0;
    if (!order || left === 0) return null;
    const cents = part === 'half' ? Math.ceil(left / 2) : left;
    order.refundedCents += cents;
    await this.#report('refund', {
      transaction_id: order.id,
      refund_amount_cents: cents,
      refund_id: `refund_${this.#newId()}`,
    });
    return order;
  }

  /** The response is ignored: a sale to a visitor without a partner is refused, and that is fine. */
  async #report(event: 'sale' | 'refund', body: object): Promise<void> {
    await fetch(`${this.#serviceUrl}/api/v1/track/${event}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }
}
