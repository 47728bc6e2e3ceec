import { type RefObject, useEffect, useRef } from 'react';

/** Whether a form contains something else than what was last saved. What was submitted counts as saved unless it failed. */
export function useChanges(form: RefObject<HTMLFormElement | null>, hasFailed: boolean) {
  const saved = useRef('');
  const submitted = useRef<string | null>(null);
  const snapshot = () => (form.current ? JSON.stringify([...new FormData(form.current)]) : '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the form contains when it appears
  useEffect(() => {
    saved.current = snapshot();
  }, []);
  return {
    exist: () =>
      form.current !== null && snapshot() !== (hasFailed ? saved.current : (submitted.current ?? saved.current)),
    noteSubmission: () => {
      if (submitted.current !== null && !hasFailed) saved.current = submitted.current;
      submitted.current = snapshot();
    },
  };
}
