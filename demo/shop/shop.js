// The code of both pages of the shop: show the state, sign up, buy, refund.

// Calls made before the tracker has loaded wait in this array.
window.svc = window.svc || [];

const REFRESH_MS = 1000;
const byId = (id) => document.getElementById(id);
const money = (cents) => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100);

let shown = '';
let asked = 0;
let newest = 0;

await refresh();
setInterval(refresh, REFRESH_MS);
addEventListener('svc', refresh);

byId('sign-up')?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const email = new FormData(event.target).get('email');
  const { customerKey } = await post('/api/sign-up', { email });
  svc.push(['signup', customerKey, email]);
  location.href = '/account';
});

document.addEventListener('click', async (event) => {
  const { product, order, part } = event.target.dataset ?? {};
  if (!product && !order) return;
  event.target.disabled = true;
  await (product ? post('/api/buy', { product }) : post('/api/refund', { order, part }));
  await refresh();
});

async function post(path, body) {
  const response = await fetch(path, { method: 'POST', body: JSON.stringify(body) });
  return response.json();
}

async function refresh() {
  const turn = ++asked;
  const response = await fetch('/api/state');
  const text = await response.text();
  // An answer that comes late must not hide a newer one.
  if (turn < newest) return;
  newest = turn;
  if (text === shown) return;
  shown = text;
  const state = JSON.parse(text);
  showSteps(state);
  showLedger(state.ledger);
  if (byId('products')) showAccount(state);
}

function showSteps({ ledger, account }) {
  const steps = [
    ['Follow Jane’s link', ledger.clicks.length > 0],
    ['Sign up', account !== null],
    ['Buy', ledger.sales.length > 0],
    ['Refund', ledger.sales.some((sale) => sale.refunded_cents > 0)],
  ];
  const now = steps.findIndex(([, done]) => !done);
  fill(
    byId('steps'),
    steps.map(([text, done], index) => element('li', { class: done ? 'done' : index === now ? 'now' : '' }, text)),
  );
}

function showLedger({ clicks, customers, sales, commissions }) {
  fill(byId('ledger'), [
    element('h2', {}, 'What the service has recorded'),
    ...section('Clicks', clicks, (click) => entry(`Through ${click.partner}`, new Date(click.at).toLocaleTimeString())),
    ...section('Customers', customers, (customer) =>
      entry(
        customer.email ?? 'New visitor',
        customer.customer_key ?? 'no key yet',
        customer.status,
        customer.status === 'click' ? '' : 'good',
        customer.partner ?? 'no partner',
      ),
    ),
    ...section('Sales', sales, (sale) =>
      entry(
        money(sale.amount_cents),
        sale.transaction_id,
        sale.refunded_cents ? `−${money(sale.refunded_cents)}` : 'paid',
        sale.refunded_cents ? 'bad' : 'good',
      ),
    ),
    ...section('Commissions', commissions, (commission) =>
      entry(
        `${money(commission.commission_cents - commission.deducted_cents)} for ${commission.partner}`,
        commission.deducted_cents ? `of ${money(commission.commission_cents)}` : '20 %',
        statusOf(commission),
        commission.reversal === 'none' ? 'good' : 'bad',
      ),
    ),
  ]);
}

function statusOf({ stage, reversal }) {
  if (reversal === 'full') return 'reversed';
  return reversal === 'partial' ? 'partially reversed' : stage;
}

function section(title, rows, show) {
  return [element('h3', {}, title), ...(rows.length ? rows.map(show) : [element('p', { class: 'none' }, 'None yet')])];
}

function entry(title, detail, tag = '', tone = '', aside = '') {
  return element('div', { class: 'entry' }, [
    element('div', { class: 'line' }, [
      element('strong', {}, title),
      tag ? element('span', { class: `tag ${tone}` }, tag) : '',
    ]),
    element('small', {}, aside ? `${detail} · ${aside}` : detail),
  ]);
}

function showAccount({ account, products }) {
  byId('who').textContent = account
    ? `Signed in as ${account.email}`
    : 'Not signed in. Sign up on the shop page first.';
  fill(
    byId('products'),
    products.map((product) =>
      element('div', { class: 'product' }, [
        element('h3', {}, product.name),
        element('p', {}, product.note),
        element('p', { class: 'price' }, money(product.priceCents)),
        element('button', { class: 'button', 'data-product': product.id, ...(account ? {} : { disabled: '' }) }, 'Buy'),
      ]),
    ),
  );
  const orders = account?.orders ?? [];
  fill(
    byId('orders'),
    orders.length === 0 ? [element('p', { class: 'quiet' }, 'No orders yet.')] : orders.map(orderRow),
  );
}

function orderRow(order) {
  const left = order.amountCents - order.refundedCents;
  const refund = (part, text) =>
    element('button', { class: 'button plain', 'data-order': order.id, 'data-part': part }, text);
  return element('div', { class: 'order' }, [
    element('div', {}, [
      element('strong', {}, `${order.product}, ${money(order.amountCents)}`),
      element('small', {}, order.id),
    ]),
    left > 0
      ? element('div', { class: 'row' }, [refund('half', 'Refund half'), refund('rest', 'Refund all')])
      : element('small', {}, 'Refunded'),
  ]);
}

function element(name, attributes, content = []) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...[content].flat());
  return node;
}

function fill(parent, children) {
  parent.replaceChildren(...children);
}
