import { Link, Navigate } from '@tanstack/react-router';
import { useRead } from '../../api/hooks.ts';
import { Loaded } from '../../ui/feedback/query-state.tsx';
import { Button, buttonClass } from '../../ui/forms/button.tsx';
import { FrontPage } from '../../ui/layout/auth-layout.tsx';
import { useSignOut } from '../../ui/layout/sign-out.ts';

const ASK_MS = 15_000;

/** For people who applied to a program and wait for the brand; once it has decided they go on by themselves. */
export function Page() {
  const me = useRead('manageMe', {}, { everyMs: ASK_MS });
  const leave = useSignOut();
  return (
    <Loaded read={me}>
      {({ data: { partner_of: places, advertiser_id: workspace } }) => {
        const waiting = places.filter(({ status }) => status === 'applied').map(({ name }) => name);
        if (waiting.length === 0) return <Navigate to="/app" replace />;
        const hasPlace = places.some(({ status }) => status === 'active');
        return (
          <FrontPage
            title="Your application was sent"
            words={`${waiting.join(', ')} will look at it. Come back here, or leave this page open: it goes on as soon as you are approved.`}
          >
            <div className="flex flex-wrap gap-2">
              {(hasPlace || workspace !== null) && (
                <Link to={hasPlace ? '/app' : '/app/start'} className={buttonClass()}>
                  {hasPlace ? 'Go to your programs' : 'Start a program of your own'}
                </Link>
              )}
              <Link to="/app/account" className={buttonClass()}>
                Your account
              </Link>
              <Button look="quiet" onClick={() => void leave()}>
                Sign out
              </Button>
            </div>
          </FrontPage>
        );
      }}
    </Loaded>
  );
}
