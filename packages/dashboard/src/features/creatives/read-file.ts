import { MAX_CREATIVE_BYTES } from '@svc/contract';

/** The bytes of the file in base64. */
export async function readFile(file: File): Promise<string> {
  if (file.size > MAX_CREATIVE_BYTES) {
    throw new Error(`This file is larger than ${MAX_CREATIVE_BYTES / 1024 / 1024} MB. Choose a smaller one.`);
  }
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error('This file can’t be read. Choose it again.'));
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(',') + 1);
}
