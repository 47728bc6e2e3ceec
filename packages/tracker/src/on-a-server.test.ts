import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import * as svc from './index.ts';
import { SvcProvider, useSvc } from './react.ts';

const NOBODY = { clickId: null, programId: null, hasAttribution: false, affiliateUrl: null };

function Attribution() {
  const { clickId, programId, hasAttribution, affiliateUrl } = useSvc();
  return createElement('p', null, JSON.stringify([clickId, programId, hasAttribution, affiliateUrl]));
}

describe('the package on a server', () => {
  it('does nothing and never fails', async () => {
    svc.init({ programId: 1, apiBase: 'https://track.test' });
    svc.consent('granted');

    expect(await svc.signup('user_1', 'ann@example.com')).toBeUndefined();
    expect(svc.getClickId()).toBeNull();
    expect(svc.getData()).toEqual(NOBODY);
  });

  it('renders the children of the provider without visitor data', () => {
    const page = createElement(
      SvcProvider,
      { programId: 1, apiBase: 'https://track.test' },
      createElement(Attribution),
    );
    expect(renderToStaticMarkup(page)).toBe('<p>[null,null,false,null]</p>');
  });
});
