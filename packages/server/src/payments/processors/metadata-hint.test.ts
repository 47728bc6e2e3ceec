import { expect, it } from 'vitest';
import { metadataHint } from './metadata-hint.ts';

it.each([
  ['svc_clickid', 'svc_click_id'],
  ['svcClickId', 'svc_click_id'],
  ['SVC-CLICK-ID', 'svc_click_id'],
  ['click_id', 'svc_click_id'],
  ['clickId', 'svc_click_id'],
  ['scv_click_id', 'svc_click_id'],
  ['svc_custmer_key', 'svc_customer_key'],
  ['svc_customer_id', 'svc_customer_key'],
  ['customer_key', 'svc_customer_key'],
])('%s looks like %s', (field, meant) => {
  expect(metadataHint([null, { color: 'red', [field]: 'x' }])).toBe(
    `The metadata has a field “${field}”. Did you mean “${meant}”?`,
  );
});

it.each([
  ['nothing', {}],
  ['our own names', { svc_click_id: 'x', svc_customer_key: 'y', program_id: '1' }],
  ['names of the shop', { order_id: '1', customer_id: '2', click: '3', key: '4', gclid: '5' }],
  ['a name that is far too long', { [`svc_${'x'.repeat(60)}`]: '1' }],
  ['text that cannot be stored', { 'svc_\ud800click': '1', 'svc_\0': '2' }],
  ['a lookalike beside the field that is meant', { click_id: 'own', svc_click_id: 'x' }],
])('%s gives no hint', (_name, metadata) => {
  expect(metadataHint([metadata as Record<string, unknown>])).toBeUndefined();
});

it('looks at no more than fifty fields', () => {
  const fields = Array.from({ length: 50 }, (_, index) => [`field_${index}`, 'x']);
  expect(metadataHint([Object.fromEntries([...fields, ['svc_clickid', 'x']])])).toBeUndefined();
});
