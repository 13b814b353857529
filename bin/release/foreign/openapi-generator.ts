import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Suite } from './suite.ts';
import { npmTools, pipTools } from './tools.ts';

/** What the C# client refers to of Polly, a library for retries: no registry that we use has it. */
const polly = `namespace Polly {
  using System; using System.Threading.Tasks;
  public enum OutcomeType { Successful, Failure }
  public class PolicyResult<T> { public OutcomeType Outcome; public T Result; public Exception FinalException; }
  public interface ISyncPolicy<T> { PolicyResult<T> ExecuteAndCapture(Func<T> action); }
  public interface IAsyncPolicy<T> { Task<PolicyResult<T>> ExecuteAndCaptureAsync(Func<Task<T>> action); }
}`;
const netstandard = '--additional-properties=targetFramework=netstandard2.0,nullableReferenceTypes=false';
const systemLibraries = ['Net.Http', 'ComponentModel.DataAnnotations', 'Web', 'Runtime.Serialization'];

/** Clients in Java, Rust and C# by OpenAPI Generator, which must compile. */
export const openapiGenerator: Suite = {
  async run({ folder, long, url }) {
    const run = await pipTools(folder, ['openapi-generator-cli==7.26.0'], {
      env: { CARGO_TARGET_DIR: join(folder, 'target') },
    });
    writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${url}/_mock/openapi.json`)).text());
    const failed: string[] = [];
    const compile = async (language: string, library: string, ...command: [string, ...string[]]) => {
      rmSync(join(folder, language), { recursive: true, force: true });
      const chosen = ['-g', language, '--library', library, '-o', language];
      const more = language === 'csharp' ? [netstandard] : [];
      await run('openapi-generator-cli', 'generate', '-i', 'openapi.json', ...chosen, ...more);
      await run(...command).catch((error: Error) => failed.push(`${language}: ${error.message}`));
    };
    await compile('java', 'native', 'mvn', '-q', '-B', '-f', 'java/pom.xml', '-Dmaven.test.skip=true', 'compile');
    const cargo = ['check', '--quiet', '--manifest-path', 'rust/Cargo.toml', '--no-default-features'];
    // It compiles the libraries of the client as well, which takes as long as all the rest.
    if (long) await compile('rust', 'reqwest', 'cargo', ...cargo);
    await npmTools(join(folder, 'json'), ['jillejr.newtonsoft.json-for-unity@12.0.101']);
    const json =
      'json/node_modules/jillejr.newtonsoft.json-for-unity/Plugins/Newtonsoft.Json Editor/Newtonsoft.Json.dll';
    writeFileSync(join(folder, 'Polly.cs'), polly);
    // The compiler of mono: apt-get install mono-mcs libmono-system-{net-http,web,runtime-serialization,componentmodel-dataannotations}4.0-cil
    const libraries = [`-r:${json}`, ...systemLibraries.map((name) => `-r:System.${name}.dll`)];
    const sources = ['-recurse:csharp/src/Org.OpenAPITools/*.cs', 'Polly.cs'];
    const mcs = ['-langversion:7.2', '-target:library', '-out:client.dll', ...libraries, ...sources];
    await compile('csharp', 'httpclient', 'mcs', ...mcs);
    return { tried: long ? 3 : 2, failed };
  },
};
