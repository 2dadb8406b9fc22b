import { awsClient, type ClientOptions } from './call.ts';

/** A call of a service with its input, in the manner of the SDK's commands, whose inputs and outputs it has. */
export abstract class AwsCommand<Input extends object, Output> {
  abstract readonly operation: string;
  readonly input: Input;
  /** Only the compiler reads it. */
  declare readonly output: Output;

  constructor(input: Input) {
    this.input = input;
  }

  /** The input in the form of the protocol. */
  encode(): object {
    return this.input;
  }

  /** Converts the response from the form of the protocol. */
  decode(body: Record<string, unknown>): Output {
    return body as Output;
  }
}

/** A client of one service. */
export interface CommandClient {
  /** Sends a command. @throws AwsCallError with the service's name of the error */
  send: <Output>(command: AwsCommand<object, Output>, options?: { abortSignal?: AbortSignal }) => Promise<Output>;
}

/** Makes a client of a service. */
export function commandClient(options: ClientOptions): CommandClient {
  const call = awsClient(options);
  return { send: async (command, sent) => command.decode(await call(command.operation, command.encode(), sent)) };
}
