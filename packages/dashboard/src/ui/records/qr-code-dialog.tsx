import { useState } from 'react';
import { encode, renderSVG } from 'uqr';
import { Button, buttonClass } from '../forms/button.tsx';
import { Dialog } from '../forms/dialog.tsx';

type QrCodeDialogProps = { url: string; name: string; onClose: () => void };

const BORDER = 2;
/** At least this wide, which is enough for print and for social networks. */
const PNG_PIXELS = 1_024;

/** Shows a link as a QR code that can be downloaded. */
export default function QrCodeDialog({ url, name, onClose }: QrCodeDialogProps) {
  const [hasFailed, setFailed] = useState(false);
  const image = `data:image/svg+xml,${encodeURIComponent(renderSVG(url, { border: BORDER }))}`;
  const downloadPng = async () => {
    const png = await drawPng(url);
    setFailed(png === null);
    if (png) download(png, `${name}.png`);
  };
  return (
    <Dialog title={`QR code for ${name}`} description={url} isOpen onClose={onClose}>
      <img src={image} alt={`QR code for ${url}`} className="mx-auto w-64 rounded-lg border border-line bg-white" />
      <div className="mt-5 flex justify-center gap-2">
        <Button variant="primary" onClick={() => void downloadPng()}>
          Download PNG
        </Button>
        <a href={image} download={`${name}.svg`} className={buttonClass()}>
          Download SVG
        </a>
      </div>
      <p role="status" className="mt-3 text-center text-sm text-quiet empty:hidden">
        {hasFailed && 'Your browser blocked drawing the image. Download the SVG instead.'}
      </p>
    </Dialog>
  );
}

/** The code as an image of whole pixels, so that its edges stay sharp. */
function drawPng(url: string): Promise<Blob | null> {
  const { data, size } = encode(url, { border: BORDER });
  const scale = Math.ceil(PNG_PIXELS / size);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size * scale;
  const context = canvas.getContext('2d');
  if (!context) return Promise.resolve(null);
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000000';
  for (const [y, row] of data.entries()) {
    for (const [x, isDark] of row.entries()) if (isDark) context.fillRect(x * scale, y * scale, scale, scale);
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

function download(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
