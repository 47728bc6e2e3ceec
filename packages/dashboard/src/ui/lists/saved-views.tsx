import { useMutation } from '@tanstack/react-query';
import { Bookmark, Check, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useSingleFlight } from '../../api/hooks.ts';
import { Button } from '../forms/button.tsx';
import { Dialog, DialogActions } from '../forms/dialog.tsx';
import { TextField } from '../forms/field.tsx';
import { Form } from '../forms/form.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../forms/menu.tsx';

const MAX_NAME_LENGTH = 60;

type SavedView = { id: string | number; name: string; isCurrent: boolean };

type SavedViewsProps = {
  views: readonly SavedView[];
  onOpen: (view: SavedView) => void;
  /** Saves the filters, sorting and columns of the list as they are now. */
  onSave: (name: string) => Promise<unknown>;
  onDelete: (view: SavedView) => void;
};

/** Named filters of a list. Where they are kept is up to the component that renders it. */
export function SavedViews({ views, onOpen, onSave, onDelete }: SavedViewsProps) {
  const [isNaming, setNaming] = useState(false);
  const flight = useSingleFlight();
  const saving = useMutation({ mutationFn: onSave, onSuccess: () => setNaming(false), onSettled: flight.end });
  const save = flight.guard((name: string) => saving.mutate(name));
  const close = () => {
    saving.reset();
    setNaming(false);
  };
  const current = views.find(({ isCurrent }) => isCurrent);
  const trigger = (
    <Button className="px-3! font-normal">
      <Bookmark size={16} aria-hidden className="text-quiet" /> {current?.name ?? 'Views'}
    </Button>
  );
  return (
    <>
      <Menu trigger={trigger} align="start">
        {views.length > 0 && <MenuLabel>Saved views</MenuLabel>}
        {views.map((view) => (
          <MenuItem key={view.id} onSelect={() => onOpen(view)}>
            <span className="min-w-0 flex-1 truncate">{view.name}</span>
            {view.isCurrent && <Check size={15} aria-label="Current view" className="text-accent" />}
          </MenuItem>
        ))}
        {views.length > 0 && <MenuSeparator />}
        <MenuItem onSelect={() => setNaming(true)}>
          <Bookmark size={15} aria-hidden /> Save current view
        </MenuItem>
        {current && (
          <MenuItem isDanger onSelect={() => onDelete(current)}>
            <Trash2 size={15} aria-hidden /> Delete “{current.name}”
          </MenuItem>
        )}
      </Menu>
      <Dialog
        title="Save view"
        description="Saves the filters and the order of this list under a name."
        isOpen={isNaming}
        onClose={close}
      >
        <Form onSubmit={({ name = '' }) => save(name.trim())} error={saving.error}>
          <TextField label="Name" name="name" required maxLength={MAX_NAME_LENGTH} pattern=".*\S.*" />
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" variant="primary" isBusy={saving.isPending}>
              Save view
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
    </>
  );
}
