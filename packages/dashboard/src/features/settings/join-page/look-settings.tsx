import { useState } from 'react';
import { brandColors, isAdjusted } from '../../../rules/brand-color.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { FetchedForm } from '../../../ui/forms/fetched-form.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import type { Program } from '../settings-form.tsx';
import { LogoField } from './logo-field.tsx';
import { type JoinPage, useJoinPageUpdate } from './use-join-page.ts';

const DEFAULT_COLOR = '#2447d8';
const COLOR = /^#[0-9a-f]{6}$/i;

type LookSettingsProps = { program: Program; page: JoinPage };

/** The brand’s logo and color on the join page and in the portal. */
export function LookSettings({ program, page }: LookSettingsProps) {
  return (
    <TitledCard title="Look" description="Your partners see your logo and color on the join page and in their portal.">
      <FetchedForm value={page.brand_color}>{(brandColor) => <Look {...{ program, page, brandColor }} />}</FetchedForm>
    </TitledCard>
  );
}

function Look({ program, page, brandColor }: LookSettingsProps & { brandColor: string | null }) {
  const { save, error, isBusy } = useJoinPageUpdate(program.id);
  const saved = brandColor ?? DEFAULT_COLOR;
  const [color, setColor] = useState(saved);
  const isColor = COLOR.test(color);
  return (
    <div className="grid gap-8 lg:grid-cols-2">
      <div className="space-y-5">
        <LogoField program={program} page={page} />
        <Form error={error} onSubmit={() => save({ brand_color: color })}>
          <div className="flex items-end gap-2">
            <div className="w-40">
              <TextField
                label="Color"
                name="brand_color"
                required
                pattern="#[0-9A-Fa-f]{6}"
                value={color}
                onChange={(event) => setColor(event.target.value)}
              />
            </div>
            <input
              type="color"
              aria-label="Choose a color"
              value={isColor ? color : DEFAULT_COLOR}
              onChange={(event) => setColor(event.target.value)}
              className="h-10 w-12 shrink-0 cursor-pointer rounded-lg border border-edge bg-card p-1"
            />
          </div>
          <p className="text-caption text-quiet" role="status">
            {isColor && isAdjusted(color) && 'We make it darker or lighter where text would be hard to read.'}
          </p>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" disabled={!isColor} isBusy={isBusy}>
              Save color
            </Button>
            {brandColor !== null && (
              <Button
                onClick={() => {
                  setColor(saved);
                  save({ brand_color: null });
                }}
              >
                Use the default
              </Button>
            )}
          </div>
        </Form>
      </div>
      <Preview color={isColor ? color : DEFAULT_COLOR} />
    </div>
  );
}

const CARDS = {
  light: { background: '#ffffff', text: '#14171c' },
  dark: { background: '#16191f', text: '#eef0f4' },
} as const;

/** How a button and a link look in both themes. */
function Preview({ color }: { color: string }) {
  return (
    <div aria-hidden className="grid grid-cols-2 gap-3 self-start">
      {(['light', 'dark'] as const).map((theme) => {
        const { accent, onAccent, accentSoft } = brandColors(color, theme);
        const { background, text } = CARDS[theme];
        return (
          <div
            key={theme}
            className="space-y-3 rounded-xl border border-line p-4 text-sm"
            style={{ background, color: text }}
          >
            <p className="font-medium">{theme === 'light' ? 'Light theme' : 'Dark theme'}</p>
            <p className="rounded-lg px-3 py-2 text-center font-medium" style={{ background: accent, color: onAccent }}>
              Join
            </p>
            <p className="rounded-lg px-3 py-2 font-medium" style={{ background: accentSoft, color: accent }}>
              Overview
            </p>
          </div>
        );
      })}
    </div>
  );
}
