import { describe, expect, it } from 'vitest';
import { changeSearch, formatSearch, parseSearch, safeNext } from './search.ts';

describe('the search of an address', () => {
  it('goes out and comes back as it was', () => {
    const search = { status: 'pending', q: 'a&b=ü +1', cursor: 'eyJ9' };
    expect(parseSearch(formatSearch(search))).toEqual(search);
  });

  it('leaves out what is empty', () => {
    expect(formatSearch({ status: '', q: undefined })).toBe('');
    expect(formatSearch({ status: 'paid', q: '' })).toBe('?status=paid');
  });

  it('keeps numbers as the text they were', () => {
    expect(parseSearch('?partner_id=007&transaction_id=1e3')).toEqual({ partner_id: '007', transaction_id: '1e3' });
  });

  it('begins at the first page when a filter changes', () => {
    expect(changeSearch({ status: 'paid', cursor: 'x' }, { status: 'pending' })).toEqual({
      status: 'pending',
      cursor: undefined,
    });
    expect(changeSearch({ status: 'paid' }, { cursor: 'y' })).toEqual({ status: 'paid', cursor: 'y' });
  });
});

describe('the place after signing in', () => {
  it.each(['/app', '/app/programs/1?x=1', '/invite#svc_inv_x', '/cli/login?state=a'])('may be %s', (next) => {
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
  ])('is never %s', (next) => expect(safeNext(next)).toBe('/app'));
});
