import { describe, expect, it } from 'vitest';
import {
  changeSearch,
  day,
  formatSearch,
  listQuery,
  oneOf,
  parseSearch,
  recordId,
  safeNext,
  searchParams,
  text,
} from './search.ts';

describe('a query string', () => {
  it('is the same after formatting and parsing', () => {
    const search = { status: 'pending', q: 'a&b=ü +1', cursor: 'eyJ9' };
    expect(parseSearch(formatSearch(search))).toEqual(search);
  });

  it('leaves out empty parameters', () => {
    expect(formatSearch({ status: '', q: undefined })).toBe('');
    expect(formatSearch({ status: 'paid', q: '' })).toBe('?status=paid');
  });

  it('keeps numbers as text', () => {
    expect(parseSearch('?partner_id=007&transaction_id=1e3')).toEqual({ partner_id: '007', transaction_id: '1e3' });
  });
});

describe('searchParams', () => {
  const validate = searchParams({ status: oneOf(['paid', 'open']), q: text });

  it('keeps valid values', () => {
    expect(validate({ status: 'paid', q: '007' })).toStrictEqual({ status: 'paid', q: '007' });
  });

  it.each([{}, { status: 'bogus', q: '' }, { status: 1, q: ['a'] }, { status: null, other: 'x' }])(
    'turns missing and invalid values in %j into undefined',
    (search) => expect(validate(search)).toStrictEqual({ status: undefined, q: undefined }),
  );
});

describe('days and ids in the URL', () => {
  const validate = searchParams({ to: day, partner_id: recordId });

  it('are kept when they can exist', () => {
    expect(validate({ to: '2026-03-31', partner_id: '12' })).toStrictEqual({ to: '2026-03-31', partner_id: '12' });
  });

  it.each([
    { to: '2026-02-30', partner_id: '0' },
    { to: '2026-03-31T00:00:00Z', partner_id: '1e3' },
    { to: 'today', partner_id: 'jane' },
  ])('are ignored otherwise: %j', (search) => {
    expect(validate(search)).toStrictEqual({ to: undefined, partner_id: undefined });
  });
});

it('changeSearch goes back to the first page when a filter changes', () => {
  const search: { status: string; cursor?: string } = { status: 'paid', cursor: 'x' };
  expect(changeSearch(search, { status: 'pending' })).toEqual({ status: 'pending', cursor: undefined });
  expect(changeSearch(search, { cursor: 'y' })).toEqual({ status: 'paid', cursor: 'y' });
});

describe('listQuery', () => {
  it('separates the filters from the cursor and the order', () => {
    expect(listQuery({ status: 'paid', sort: '-amount', cursor: 'x' })).toEqual({
      filters: { status: 'paid' },
      sort: '-amount',
      cursor: 'x',
      isFiltered: true,
    });
  });

  it('includes the last day: the API ends a list at the start of the day after it', () => {
    const { filters } = listQuery({ from: '2026-03-01', to: '2026-03-31' });
    expect(filters).toEqual({ from: '2026-03-01', to: '2026-04-01' });
  });

  it('asks for a single day when both days are the same', () => {
    expect(listQuery({ from: '2026-11-15', to: '2026-11-15' }).filters).toEqual({
      from: '2026-11-15',
      to: '2026-11-16',
    });
  });

  it('counts neither the cursor, the order nor empty parameters as a filter', () => {
    expect(listQuery({ status: undefined, sort: 'amount', cursor: 'x' }).isFiltered).toBe(false);
  });
});

describe('safeNext', () => {
  it.each(['/app', '/app/programs/1?x=1', '/invite#svc_inv_x', '/cli/login?state=a'])('allows %s', (next) => {
    expect(safeNext(next)).toBe(next);
  });

  it.each([
    undefined,
    '',
    'https://evil.test',
    '//evil.test',
    '/\\evil.test',
    '/app\\evil',
    '/appevil',
    'javascript:x',
  ])('does not allow %s', (next) => expect(safeNext(next)).toBe('/app'));
});
