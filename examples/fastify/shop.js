// Stands for your own code, which would check and save the user. This one believes what it is sent.

/**
 * @param {unknown} body
 * @returns {Promise<{ id: string | number, email: string }>}
 */
export async function createUser(body) {
  const { id, email } = /** @type {{ id: string, email: string }} */ (body);
  return { id, email };
}
