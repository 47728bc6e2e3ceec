// Segment destination function: reports signups, orders and refunds to https://track.example.com.
//
// Settings: apiKey (a sensitive string), the API key of your program.
//
// - identify, and track "Signed Up"  → a lead
// - track "Order Completed"          → a sale: order_id, total or revenue, currency
// - track "Order Refunded"           → a refund: order_id, and total for a part of it
//
// On your site, pass the click on: analytics.identify(userId, traits, { context: { svc_click_id: svc.getClickId() } })

const API_URL = 'https://track.example.com';

async function onIdentify(event, settings) {
  await report(settings, [leadOf(event)]);
}

async function onTrack(event, settings) {
  const item = itemOf(event);
  if (!item) throw new EventNotSupported(`${event.event} is not reported`);
  await report(settings, [item]);
}

async function onBatch(events, settings) {
  const items = events.map((event) => (event.type === 'identify' ? leadOf(event) : itemOf(event))).filter(Boolean);
  if (items.length > 0) await report(settings, items);
}

async function onPage() {
  throw new EventNotSupported('page is not reported');
}
async function onScreen() {
  throw new EventNotSupported('screen is not reported');
}
async function onGroup() {
  throw new EventNotSupported('group is not reported');
}
async function onAlias() {
  throw new EventNotSupported('alias is not reported');
}
async function onDelete() {
  throw new EventNotSupported('delete is not reported');
}

function itemOf(event) {
  if (event.type !== 'track') return undefined;
  if (event.event === 'Signed Up') return leadOf(event);
  if (event.event === 'Order Completed') return saleOf(event);
  if (event.event === 'Order Refunded') return refundOf(event);
  return undefined;
}

function leadOf(event) {
  const traits = { ...event.context?.traits, ...event.traits };
  return { type: 'lead', ...personOf(event), ...(traits.email && { email: traits.email }) };
}

function saleOf(event) {
  const { order_id: id, total, revenue, currency = 'USD' } = event.properties || {};
  return {
    type: 'sale',
    transaction_id: required(id, 'properties.order_id'),
    ...personOf(event),
    amount_cents: smallestUnit(required(revenue === undefined ? total : revenue, 'properties.revenue'), currency),
    currency: currency.toUpperCase(),
  };
}

function refundOf(event) {
  const { order_id: id, total, currency = 'USD' } = event.properties || {};
  return {
    type: 'refund',
    transaction_id: required(id, 'properties.order_id'),
    // Without an amount, all of it.
    ...(total !== undefined && { refund_amount_cents: smallestUnit(total, currency), refund_id: event.messageId }),
  };
}

function personOf(event) {
  const clickId = event.context?.svc_click_id;
  return { customer_key: required(event.userId, 'userId'), ...(clickId && { click_id: clickId }) };
}

function required(value, name) {
  if (value === undefined || value === null || value === '') throw new InvalidEventPayload(`${name} is missing`);
  return String(value);
}

/** 49.9 dollars are 4990 cents, 500 yen are 500. */
function smallestUnit(amount, currency) {
  const { maximumFractionDigits: digits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return Number(Math.abs(Number(amount)).toFixed(digits).replace('.', ''));
}

/** A batch is limited by key, not by the address, which all customers of Segment share. */
async function report({ apiKey }, items) {
  let response;
  try {
    response = await fetch(`${API_URL}/api/v1/track/batch`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        'User-Agent': 'svc-segment/0.0.0',
      },
      body: JSON.stringify({ items }),
    });
  } catch (error) {
    throw new RetryError(error.message);
  }
  if (response.status === 429 || response.status >= 500)
    throw new RetryError(`The service answered ${response.status}`);
  const body = await response.json();
  if (response.status !== 200 || body.success !== true) {
    throw new ValidationError(body.error?.message || `The service answered ${response.status}`);
  }
  const failed = body.data.results.filter(({ status }) => status >= 500 || status === 429);
  if (failed.length > 0) throw new RetryError(`${failed.length} events were not recorded`);
  // What is left concerns no partner or was recorded before. A single event that is wrong is worth a line in the log.
  const [only] = body.data.results;
  const isWrong = items.length === 1 && only.status === 400 && !/^(Customer|No )/.test(only.body.error.message);
  if (isWrong) throw new InvalidEventPayload(only.body.error.message);
}
