// Stands for your own code: it would save users and orders. This one believes what it is sent.

type User = { id: string | number; email: string };
type Order = { id: string | number; userId?: string; amountCents: number; currency: string };

export async function createUser({ id, email }: User): Promise<User> {
  return { id, email };
}

export async function completeOrder(body: Order): Promise<Order> {
  return body;
}
