import { Download } from 'lucide-react';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Button, buttonClass } from '../../../ui/forms/button.tsx';
import { CopyButton } from '../../../ui/forms/copy.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';

/** Shows recovery codes, which nothing shows again. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const text = codes.join('\n');
  return (
    <Dialog
      title="Save your recovery codes"
      description="If you lose your phone, a recovery code replaces the code of your app. Each works once."
      isOpen
      onClose={onClose}
    >
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-2 gap-x-4 gap-y-1.5 rounded-lg bg-sunken p-4 font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-3 flex gap-2">
        <CopyButton text={text} label="Copy recovery codes" />
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="svc-recovery-codes.txt"
          className={buttonClass({ size: 'small' })}
        >
          <Download size={15} aria-hidden /> Download
        </a>
      </div>
      <div className="mt-4 mb-2">
        <Notice tone="warn">You won’t see these codes again. Keep them somewhere safe, apart from your phone.</Notice>
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          I’ve saved them
        </Button>
      </DialogActions>
    </Dialog>
  );
}
