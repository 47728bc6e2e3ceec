import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { Failed, Nothing } from '../ui/feedback/query-state.tsx';
import { Button, buttonClass } from '../ui/forms/button.tsx';

/** A page that is not there, and the way back. */
export function Missing() {
  const home = (
    <Link to="/app" className={buttonClass({ look: 'primary' })}>
      Go to the start
    </Link>
  );
  return (
    <main>
      <Nothing action={home} />
    </main>
  );
}

/** A page that broke by itself. */
export function Crashed({ error }: ErrorComponentProps) {
  return (
    <main>
      <Failed error={error instanceof Error ? error : new Error('The page broke by itself.')} />
      <div className="px-5">
        <Button onClick={() => location.reload()}>Load the page again</Button>
      </div>
    </main>
  );
}
