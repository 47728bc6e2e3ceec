// polar.js: creates checkouts of Polar. For the sandbox, replace api.polar.sh with sandbox-api.polar.sh.

/**
 * @param {Record<string, string>} metadata
 * @returns {Promise<string>} the address of the checkout
 */
export async function createCheckout(metadata) {
  const response = await fetch('https://api.polar.sh/v1/checkouts/', {
    method: 'POST',
    headers: { Authorization: `Bearer ${process.env.POLAR_ACCESS_TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ products: ['…'], metadata }), // the ids of your products
  });
  if (!response.ok) throw new Error(`Polar returned ${response.status}`);
  return (await response.json()).url;
}
