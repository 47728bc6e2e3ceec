import { renderSVG } from 'uqr';
import { buttonClass } from '../forms/button.tsx';
import { Dialog } from '../forms/dialog.tsx';

/** The address as a code that phones read, to look at and to take along. */
export default function QrDialog({ url, name, onClose }: { url: string; name: string; onClose: () => void }) {
  const image = `data:image/svg+xml,${encodeURIComponent(renderSVG(url, { border: 2 }))}`;
  return (
    <Dialog title={`QR code of ${name}`} words={url} isOpen onClose={onClose}>
      <img
        src={image}
        alt={`QR code that leads to ${url}`}
        className="mx-auto w-64 rounded-lg border border-line bg-white"
      />
      <div className="mt-5 flex justify-center">
        <a href={image} download={`${name}.svg`} className={buttonClass()}>
          Download as SVG
        </a>
      </div>
    </Dialog>
  );
}
