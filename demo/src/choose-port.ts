import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** The preferred port if it is free, otherwise any free port. */
export async function choosePort(preferred: number): Promise<number> {
  return (await portIfFree(preferred)) ?? (await portIfFree(0)) ?? preferred;
}

async function portIfFree(port: number): Promise<number | null> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch {
    return null;
  } finally {
    server.close();
  }
}
