import { renderSVG } from 'uqr';
import { buttonClass } from '../forms/button.tsx';
import { Dialog } from '../forms/dialog.tsx';

type QrCodeDialogProps = { url: string; name: string; onClose: () => void };

/** Shows a link as a QR code that can be downloaded. */
export default function QrCodeDialog({ url, name, onClose }: QrCodeDialogProps) {
  const image = `data:image/svg+xml,${encodeURIComponent(renderSVG(url, { border: 2 }))}`;
  return (
    <Dialog title={`QR code for ${name}`} description={url} isOpen onClose={onClose}>
      <img src={image} alt={`QR code for ${url}`} className="mx-auto w-64 rounded-lg border border-line bg-white" />
      <div className="mt-5 flex justify-center">
        <a href={image} download={`${name}.svg`} className={buttonClass()}>
          Download SVG
        </a>
      </div>
    </Dialog>
  );
}
