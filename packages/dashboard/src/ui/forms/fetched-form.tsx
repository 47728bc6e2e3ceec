import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { Notice } from '../feedback/notice.tsx';
import { Button } from './button.tsx';
import { FormsInside, hasChangesInside } from './form-changes.ts';

type FetchedFormProps<Value> = {
  /** What the form changes, as it was fetched last. */
  value: Value;
  /** What is said when somebody else has changed it while a person is editing. */
  changed?: (value: Value) => string;
  children: (value: Value) => ReactNode;
};

/**
 * A form for what was fetched, which is fetched again while it is shown. All its fields are of one reply: a later one replaces them
 * as long as nothing was entered, and never what a person is editing.
 */
export function FetchedForm<Value>({ value, changed = () => CHANGED, children }: FetchedFormProps<Value>) {
  const text = JSON.stringify(value);
  const [shown, setShown] = useState({ value, text, start: 0 });
  const [isBehind, setBehind] = useState(false);
  // What the person has saved is in the fields already. Replacing these would take the focus away.
  const isSaved = useRef(false);
  const [forms] = useState(() => ({
    ask: new Set<() => boolean>(),
    onSubmission: () => {
      isSaved.current = true;
    },
  }));
  const show = (start: number) => {
    isSaved.current = false;
    setBehind(false);
    setShown({ value, text, start });
  };
  useEffect(() => {
    if (text === shown.text) setBehind(false);
    else if (hasChangesInside(forms)) setBehind(true);
    else show(isSaved.current ? shown.start : shown.start + 1);
  });
  return (
    <FormsInside value={forms}>
      <div role="status" className="empty:hidden">
        {isBehind && <StartAgain onStart={() => show(shown.start + 1)}>{changed(value)}</StartAgain>}
      </div>
      <Fragment key={shown.start}>{children(shown.value)}</Fragment>
    </FormsInside>
  );
}

const CHANGED = 'Somebody has changed these settings meanwhile.';

/** Says that what is edited is not the newest anymore, with a button that gives up what was entered. */
export function StartAgain({ children, onStart }: { children: ReactNode; onStart: () => void }) {
  return (
    <Notice tone="warn">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>{children}</p>
        <Button size="small" onClick={onStart}>
          Start again
        </Button>
      </div>
    </Notice>
  );
}
