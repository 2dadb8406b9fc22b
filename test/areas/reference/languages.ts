import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { pythonPrograms, run, Skipped } from '../../clients/cache.ts';
import { downloadModules, GO_VARIABLES } from '../../clients/go/build.ts';
import { downloadLibraries } from '../../clients/java/client.ts';

/** The code of an operation's example, which is executed. */
export interface Snippet {
  id: string;
  code: string;
}

/** The result of a language: the executed operations and the failed ones, or the reason why none was executed. */
export type Ran = { executed: string[]; failed: string[] } | { skipped: string };

const CLIENTS = fileURLToPath(new URL('../../clients/', import.meta.url));
const indent = (code: string, by: string): string => `${by}${code.replaceAll('\n', `\n${by}`)}`;

/** A program that runs each snippet and prints `ok ID` or `failed ID reason`. */
interface Program {
  file: string;
  source: (snippets: readonly Snippet[], url: string) => string;
  /** Installs the official client. @throws {Skipped} if the language or its registry is missing */
  prepare: (folder: string) => Promise<{ command: string; args: string[]; env?: Record<string, string> }>;
}

const PROGRAMS: Readonly<Record<string, Program>> = {
  curl: {
    file: 'examples.sh',
    prepare: async () => ({ command: 'bash', args: ['examples.sh'] }),
    source: (snippets) =>
      snippets
        .map(({ id, code }) => {
          const command = code.replace(/^curl /, 'curl --silent --show-error --fail-with-body ');
          return `if output=$(${command} 2>&1); then echo 'ok ${id}'; else echo "failed ${id} $output"; fi`;
        })
        .join('\n'),
  },
  Node: {
    file: 'examples.mjs',
    prepare: async () => ({ command: process.execPath, args: ['examples.mjs'] }),
    source: (snippets, url) => {
      const sdk = pathToFileURL(createRequire(import.meta.url).resolve('@workos-inc/node')).href;
      const { hostname, port } = new URL(url);
      const runs = snippets.map(({ id, code }) => {
        const body = indent(code, '  ');
        return `try {\n${body}\n  console.log('ok ${id}');\n} catch (error) { console.log('failed ${id} ' + error); }`;
      });
      return `import { WorkOS } from '${sdk}';
const options = { apiHostname: '${hostname}', port: ${port}, https: false };
const workos = new WorkOS(process.env.GATEHOUSE_API_KEY, options);
${runs.join('\n')}`;
    },
  },
  Python: {
    file: 'examples.py',
    prepare: async () => {
      const programs = await pythonPrograms('python', join(CLIENTS, 'python', 'requirements.txt'));
      return { command: join(programs, 'python'), args: ['examples.py'] };
    },
    source: (snippets, url) => {
      const runs = snippets.map(({ id, code }) => {
        const body = indent(code, '    ');
        return `try:\n${body}\n    print("ok ${id}")\nexcept Exception as error:\n    print("failed ${id}", error)`;
      });
      return `import os
from workos import WorkOSClient
client = WorkOSClient(api_key=os.environ["GATEHOUSE_API_KEY"], client_id="client", base_url="${url}")
${runs.join('\n')}`;
    },
  },
  Go: {
    file: 'main.go',
    prepare: async (folder) => {
      const pins = await downloadModules({ name: 'go', folder: join(CLIENTS, 'go'), oldest: 23 });
      for (const pin of pins) copyFileSync(pin, join(folder, pin.endsWith('sum') ? 'go.sum' : 'go.mod'));
      return { command: 'go', args: ['run', '-mod=mod', '.'], env: { ...GO_VARIABLES } };
    },
    source: (snippets) => {
      const functions = snippets.map(({ code }, at) => {
        const isByHttp = code.includes('http.NewRequest');
        const check = isByHttp ? 'if response.StatusCode >= 400 {\n\treturn errors.New(string(result))\n}\n' : '';
        const use = !isByHttp && code.includes('result, err') ? '_ = result\n' : '';
        return `func call${at}() error {\n${indent(`${code}\n${check}${use}return err`, '\t')}\n}`;
      });
      const text = functions.join('\n\n');
      const uses = (name: string): boolean => new RegExp(`(?<![\\w"./-])${name}\\.[A-Z]`).test(text);
      const standard = ['context', 'errors', 'io', 'net/http', 'os', 'strings'];
      const packages = [
        ...new Set([...text.matchAll(/client := &?(\w+)\.(?:New)?Client/g)].map(([, name = '']) => name)),
      ];
      const imports = [
        '"fmt"',
        ...standard.filter((path) => uses(path.split('/').at(-1) ?? '')).map((path) => `"${path}"`),
        ...packages.map((name) => `"github.com/workos/workos-go/v6/pkg/${name}"`),
      ];
      return `package main

import (
${imports.map((path) => `\t${path}`).join('\n')}
)

${text}

func report(id string, err error) {
	if err != nil {
		fmt.Println("failed", id, err)
	} else {
		fmt.Println("ok", id)
	}
}

func main() {
${snippets.map(({ id }, at) => `\treport("${id}", call${at}())`).join('\n')}
}
`;
    },
  },
  Java: {
    file: 'Examples.java',
    prepare: async () => {
      const libraries = await downloadLibraries();
      return { command: 'java', args: ['-cp', join(libraries, '*'), 'Examples.java'] };
    },
    source: (snippets, url) => {
      const methods = snippets.map(({ code }, at) => {
        const isByHttp = code.includes('HttpRequest.newBuilder');
        const check = isByHttp ? '\nif (response.statusCode() >= 400) throw new RuntimeException(result);' : '';
        return `  static void call${at}() throws Exception {\n${indent(`${code}${check}`, '    ')}\n  }`;
      });
      const runs = snippets.map(({ id }, at) => `    report("${id}", Examples::call${at});`);
      return `import com.workos.WorkOS;
import java.net.URI;
import java.net.http.*;
import java.util.*;

public class Examples {
  interface Call { void run() throws Exception; }

  static final WorkOS workos =
      WorkOS.builder().apiKey(System.getenv("GATEHOUSE_API_KEY")).apiBaseUrl("${url}").build();

  static void report(String id, Call call) {
    try {
      call.run();
      System.out.println("ok " + id);
    } catch (Exception error) {
      System.out.println("failed " + id + " " + error);
    }
  }

${methods.join('\n\n')}

  public static void main(String[] args) {
${runs.join('\n')}
  }
}
`;
    },
  },
};

/** The languages in which examples are executed, by the titles of their tabs. */
export const LANGUAGES = Object.keys(PROGRAMS);

/** Executes snippets of a language, all in one program. It is skipped where the language or its client is missing. */
export async function runLanguage(
  language: string,
  snippets: readonly Snippet[],
  { url, env }: { url: string; env: Record<string, string> },
): Promise<Ran> {
  const program = PROGRAMS[language];
  if (program === undefined) throw new TypeError(`There is no program for ${language}`);
  const folder = mkdtempSync(join(tmpdir(), `gatehouse-examples-`));
  try {
    const { command, args, env: own } = await program.prepare(folder);
    writeFileSync(join(folder, program.file), program.source(snippets, url));
    const { code, output } = await run(command, args, { cwd: folder, env: { ...env, ...own } });
    const executed = [...output.matchAll(/^ok (\S+)$/gm)].map(([, id = '']) => id);
    const failed = [...output.matchAll(/^failed .*$/gm)].map(([line]) => line);
    if (code !== 0) failed.push(`${language} ended with ${code}: ${output.slice(-2_000)}`);
    return { executed, failed };
  } catch (error) {
    if (error instanceof Skipped) return { skipped: error.message };
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
