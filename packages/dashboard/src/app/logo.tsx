import mark from '../mark.svg';

export function Mark() {
  return <img src={mark} alt="" className="size-8 shrink-0" />;
}
