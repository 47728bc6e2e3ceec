import { useEffect, useState } from 'react';

/** How long nobody has typed when a search begins. */
const TYPING_MS = 150;

/** The text once nothing has been typed for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
