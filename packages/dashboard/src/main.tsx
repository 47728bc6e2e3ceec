import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles.css';
import { App } from './app/app.tsx';
import { applyTheme } from './ui/layout/theme.ts';

applyTheme();

// A page that was open during an update requests files of the old build; reloading gets the new ones.
addEventListener('vite:preloadError', () => location.reload());

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
