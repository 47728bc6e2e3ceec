import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './page.css';
import { ToastProvider } from '../src/ui/feedback/toast.tsx';
import { charts } from './charts.tsx';
import { FramedExample, SectionOfPage } from './example.tsx';
import { feedback } from './feedback.tsx';
import { queryClient } from './filled-queries.ts';
import { forms } from './forms.tsx';
import { layout } from './layout.tsx';
import { lists } from './lists.tsx';
import { records } from './records.tsx';

/** By the folders of `ui/`. */
const SECTIONS = { charts, feedback, forms, layout, lists, records };

const search = new URLSearchParams(location.search);
const framed = search.get('frame');
const chosen = search.get('section');
const example = Object.entries(SECTIONS)
  .flatMap(([section, examples]) => examples.map((each) => ({ id: `${section}/${each.name}`, each })))
  .find(({ id }) => id === framed)?.each;

// Menus close when their window loses the focus. Those in the frames stay open, and toasts stay still.
if (example) {
  const ignore = (event: Event) => event.isTrusted && event.target === window && event.stopImmediatePropagation();
  for (const type of ['blur', 'focus']) window.addEventListener(type, ignore, { capture: true });
}

// Charts measure their labels once, so the font has to be there before them.
await document.fonts.load('1em Geist', 'aā');

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ToastProvider>{example ? <FramedExample example={example} /> : <AllComponents />}</ToastProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}

function AllComponents() {
  const names = Object.keys(SECTIONS);
  return (
    <main className="components">
      <h1>Components</h1>
      <p>
        {names.map((name) => (
          <a key={name} href={`?section=${name}`}>
            {name}
          </a>
        ))}
      </p>
      {Object.entries(SECTIONS)
        .filter(([name]) => chosen === null || name === chosen)
        .map(([name, examples]) => (
          <SectionOfPage key={name} name={name} examples={examples} />
        ))}
    </main>
  );
}
