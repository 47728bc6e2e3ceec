import { createContext, type KeyboardEvent, type RefObject, useContext, useEffect, useRef } from 'react';

/** The forms inside a dialog, or inside what was fetched for them: whether they contain unsaved changes, and when one is submitted. */
type EnclosedForms = { ask: Set<() => boolean>; onSubmission?: () => void };

export const FormsInside = createContext<EnclosedForms | null>(null);

export const hasChangesInside = ({ ask }: EnclosedForms) => [...ask].some((hasChanges) => hasChanges());

/** Keys that move the focus or do nothing by themselves. */
const PASSIVE_KEYS = ['Tab', 'Shift', 'Control', 'Alt', 'Meta', 'Escape'];

/**
 * Whether a form contains something else than before the user changed anything, or than what was last saved. What was submitted
 * counts as saved unless it failed. Values that arrive later, before the user does anything, are no changes.
 */
export function useChanges(form: RefObject<HTMLFormElement | null>, hasFailed: boolean, isGuarded: boolean) {
  const saved = useRef('');
  const isTouched = useRef(false);
  const snapshot = () => (form.current ? JSON.stringify([...form.current.elements].map(contentOf)) : '');
  const noteSaved = () => {
    if (!isTouched.current && !hasFailed) saved.current = snapshot();
  };
  const noteTouch = () => {
    noteSaved();
    isTouched.current = true;
  };
  const exist = () => form.current !== null && (isTouched.current || hasFailed) && snapshot() !== saved.current;
  const latest = useRef(exist);
  latest.current = exist;

  const enclosing = useContext(FormsInside);
  useEffect(() => {
    if (!enclosing || !isGuarded) return;
    const ask = () => latest.current();
    enclosing.ask.add(ask);
    return () => void enclosing.ask.delete(ask);
  }, [enclosing, isGuarded]);

  return {
    exist,
    noteSubmission: () => {
      isTouched.current = false;
      enclosing?.onSubmission?.();
    },
    /** How the form notices that a person is about to change something. Portals of its controls are part of it. */
    listeners: {
      onFocusCapture: noteSaved,
      onPointerDownCapture: noteTouch,
      onKeyDownCapture: ({ key }: KeyboardEvent) => (PASSIVE_KEYS.includes(key) ? noteSaved() : noteTouch()),
      onInputCapture: () => {
        isTouched.current = true;
      },
    },
  };
}

/** Fields without a name count too. A select is a button that says what is selected. */
function contentOf(control: Element): string | boolean | null {
  if (control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type)) return control.checked;
  if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) return control.value;
  return control.role === 'combobox' ? control.textContent : null;
}
