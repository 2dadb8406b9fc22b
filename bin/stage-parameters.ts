import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm';

/**
 * Reads from a stage's data stack (`lib/stack/data-stack.ts`) where its data are stored, with the credentials and the
 * region of the shell.
 * @returns the values by their names; a name that the stage does not have is left out
 * @throws Error with the message of AWS when it rejects the call
 */
export async function stageParameters(
  stage: string,
  names: readonly string[],
): Promise<Partial<Record<string, string>>> {
  const prefix = `/gatehouse/${stage}/`;
  const client = new SSMClient();
  const asked = new GetParametersCommand({ Names: names.map((name) => prefix + name) });
  const { Parameters = [] } = await client.send(asked).finally(() => client.destroy());
  return Object.fromEntries(Parameters.map(({ Name = '', Value }) => [Name.slice(prefix.length), Value]));
}
