import { FileText, Link2, Type } from 'lucide-react';
import { type Row, urlOf } from '../../api/client.ts';

export type Creative = Row<'manageCreatives'>;

const ICONS = { file: FileText, link: Link2, text: Type };

/** Where the file of a creative is. */
export const fileUrl = (programId: number, { id }: Creative) =>
  urlOf('manageCreativeFile', { params: { program_id: programId, creative_id: id } });

const isImage = ({ file }: Creative) => file?.media_type.startsWith('image/') ?? false;

type PreviewProps = { programId: number; creative: Creative; className?: string };

/** What a creative looks like: the image, or a sign for what it is. It has its size before the image is there. */
export function CreativePreview({ programId, creative, className = 'size-12' }: PreviewProps) {
  const Icon = ICONS[creative.kind];
  return (
    <span
      className={`grid shrink-0 place-items-center overflow-hidden rounded-lg border border-line bg-sunken text-quiet ${className}`}
    >
      {isImage(creative) ? (
        <img src={fileUrl(programId, creative)} alt="" loading="lazy" className="size-full object-contain" />
      ) : (
        <Icon size={18} aria-hidden />
      )}
    </span>
  );
}
