import { createContext, useContext, useEffect } from 'react';

const PRODUCT = 'svc';

/** The program that the page belongs to. */
export const ProgramNameContext = createContext<string | null>(null);

/** Names the browser tab after the page, the program and the product. */
export function useDocumentTitle(title: string): void {
  const program = useContext(ProgramNameContext);
  useEffect(() => {
    document.title = [title, program, PRODUCT].filter(Boolean).join(' · ');
  }, [title, program]);
}
