import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { Button, buttonClass } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failed } from '../ui/loaded.tsx';

/** An address that leads nowhere, or to something that is somebody else's: the two look alike. */
export function Missing() {
  return (
    <main>
      <Empty
        icon={Compass}
        title="There is nothing here"
        isPage
        action={
          <Link to="/app" className={buttonClass({ look: 'primary' })}>
            Go to the start
          </Link>
        }
      >
        The address may be wrong, or what was there belongs to somebody else.
      </Empty>
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
