// lemonsqueezy.js: the address of a checkout that knows who pays.

/** @param {Record<string, string>} customData */
export function checkoutUrl(customData) {
  const url = new URL('https://your-store.lemonsqueezy.com/checkout/buy/…'); // Products, Share, Checkout link
  for (const [name, value] of Object.entries(customData)) url.searchParams.set(`checkout[custom][${name}]`, value);
  return url.href;
}
