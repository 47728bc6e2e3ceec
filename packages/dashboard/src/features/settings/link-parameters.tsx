import { FOREIGN_PARAMETERS } from '@svc/contract';
import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import type { Program } from './settings-form.tsx';
import { ValueList } from './value-list.tsx';

/** Parameters that name the partner in links of the tool that the program had before. */
export function LinkParameters({ program }: { program: Program }) {
  const toast = useToast();
  const update = useApiMutation('manageUpdateProgram', () => toast('Changes saved'));
  return (
    <TitledCard
      title="Links of other tools"
      description="The tracker and redirects read these parameters like aff, so that links from your previous tool keep crediting their partners. If a link has several of them, aff counts, otherwise the first one in this list. Only add parameters that nothing else on your site uses. Then replace the tracker’s script on your site: Set up shows the one that reads them."
    >
      <ValueList
        title="Link parameters"
        fixed="aff"
        values={program.link_parameters}
        field={{ name: 'link_parameters', label: 'Add a parameter', placeholder: 'via' }}
        suggestions={{ title: 'From other tools:', values: SUGGESTIONS }}
        error={update.error}
        isBusy={update.isPending}
        onSave={(parameters, onSuccess) =>
          update.mutate({ params: { program_id: program.id }, body: { link_parameters: parameters } }, { onSuccess })
        }
      />
    </TitledCard>
  );
}

const PARAMETERS: string[] = [...new Set(FOREIGN_PARAMETERS.flatMap(({ parameters }) => parameters))];

/** Each parameter once, with the tools that use it. */
const SUGGESTIONS = PARAMETERS.map((value) => {
  const tools = FOREIGN_PARAMETERS.filter(({ parameters }) => parameters.some((name) => name === value));
  return { value, label: `${value} (${tools.map(({ tool }) => tool).join(', ')})` };
});
