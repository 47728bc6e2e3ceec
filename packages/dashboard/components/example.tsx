import { type ComponentType, type ReactNode, useEffect } from 'react';
import { PageAt } from './page-at.tsx';

/** A component in one or more of its states. */
export type Example = {
  /** The component and, if it has several examples, what is special about this one. */
  name: string;
  show: ComponentType;
  /** The address of the page that it is on, for components that read it. */
  at?: string;
  /** Takes the whole width of the page instead of a column. */
  isWide?: boolean;
  /** Shown in a document of its own that is this many pixels high: whole pages, and what opens above a page. */
  frameHeight?: number;
  /** Brings its own landmarks and heading. */
  isWholePage?: boolean;
  /** Finds what is pressed once it is there, to open it. */
  press?: string;
  /** Finds what has to be there before a picture of it is taken. */
  until?: string;
};

/** The page of the program that the user owns, unless an example says otherwise. */
const DEFAULT_ADDRESS = '/app/programs/1/page';

/** The components of one folder. */
export function SectionOfPage({ name, examples }: { name: string; examples: readonly Example[] }) {
  return (
    <section id={name} aria-labelledby={`${name}-title`} data-section={name}>
      <h2 id={`${name}-title`}>{name}</h2>
      <div className="examples">
        {examples.map((example) => (
          <div key={example.name} data-wide={example.isWide}>
            <p>{example.name}</p>
            {example.frameHeight ? (
              <iframe
                title={example.name}
                src={`?frame=${encodeURIComponent(`${name}/${example.name}`)}`}
                height={example.frameHeight}
              />
            ) : (
              <Shown example={example} />
            )}
          </div>
        ))}
      </div>
    </section>
  );
}

/** The one example of a document. */
export function FramedExample({ example }: { example: Example }) {
  if (example.isWholePage) return <Shown example={example} />;
  return (
    <main id="content" className="framed">
      <h1 className="sr-only">{example.name}</h1>
      <Shown example={example} />
    </main>
  );
}

function Shown({ example: { show: Show, at = DEFAULT_ADDRESS, press, until } }: { example: Example }) {
  return (
    <div data-example data-until={until}>
      <PageAt address={at}>
        <Pressing selector={press}>
          <Show />
        </Pressing>
      </PageAt>
    </div>
  );
}

/** Presses what the selector finds, as soon as it is there. Menus open when the button goes down, the rest on a click. */
function Pressing({ selector, children }: { selector: string | undefined; children: ReactNode }) {
  useEffect(() => {
    const elements = selector ? document.querySelectorAll<HTMLElement>(selector) : [];
    for (const element of elements) {
      element.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 }));
      element.click();
    }
  }, [selector]);
  return children;
}
