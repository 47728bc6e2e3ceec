import { Fragment } from 'react';

/** Behind these, a line may end without tearing a word apart. */
const AFTER_SEPARATORS = /(?<=[._/:@?&=])/;

/**
 * An id, key or path in a monospaced font, so that similar characters stay distinguishable. A long one goes on in the next line
 * between its words, and inside a word only where nothing else fits.
 */
export function Identifier({ children }: { children: string }) {
  return (
    <code className="font-mono text-caption [overflow-wrap:anywhere]">
      {children.split(AFTER_SEPARATORS).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </code>
  );
}
