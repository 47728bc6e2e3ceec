import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { regionsOf, snippetModule } from './write-snippets.mjs';

describe('the code of examples/', () => {
  it('is what the contract holds; `npm run build` writes it', () => {
    const written = new URL('../packages/contract/src/snippets/examples.ts', import.meta.url);
    expect(readFileSync(written, 'utf8')).toBe(snippetModule());
  });

  it('contains no number that reads like the id of the program but is none', () => {
    const meant =
      /data-svc-program-id="42"|program_id: '42'|programId: 42|program_id\]', '42'|webhooks\/custom\/42|svc-tracker-42\.js/g;
    expect(snippetModule().replaceAll('\\"', '"').replace(meant, '')).not.toMatch(/\b42\b/);
  });
});

describe('the regions of a file', () => {
  it('are cut out without their marks and moved to the left', () => {
    const text = `import a from 'a';
// #region first
  if (a) {

    b();
  }
// #endregion
<!-- #region second-one -->
<p></p>
<!-- #endregion -->
`;
    expect(regionsOf(text)).toEqual({ first: 'if (a) {\n\n  b();\n}\n', 'second-one': '<p></p>\n' });
  });

  it('are the whole file where it has none', () => {
    expect(regionsOf('a\n  b\n')).toEqual({ '': 'a\n  b\n' });
  });

  it.each(['// #region a\n', '// #region a\n// #region b\n// #endregion\n', '// #region\n// #endregion\n'])(
    'have to be named and to end: %j',
    (text) => expect(() => regionsOf(text)).toThrow(),
  );
});
