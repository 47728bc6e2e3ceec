// Stands for your own way to find out who is signed in. This one believes a header.

/**
 * @param {{ headers: Headers | import('node:http').IncomingHttpHeaders }} request
 * @returns {Promise<{ id: string } | null>}
 */
export async function currentUser({ headers }) {
  const id = headers instanceof Headers ? headers.get('x-user') : headers['x-user'];
  return id ? { id: String(id) } : null;
}
