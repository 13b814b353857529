import type { Command } from 'commander';

/** Examples for commands that have none in their own file, by path. */
const examples: Readonly<Record<string, readonly string[]>> = {
  partnerkit: [
    'partnerkit mock                                      # the API on http://127.0.0.1:4010',
    'partnerkit init target.yaml                          # describe a deployment',
    'partnerkit conformance run --target target.yaml      # and check it',
    'partnerkit load run overload --target target.yaml    # judge its rate limit',
    'partnerkit certify -- npm test                       # judge your client',
  ],
  'partnerkit conformance': ['partnerkit conformance run --target target.yaml'],
  'partnerkit conformance cleanup': ['partnerkit conformance cleanup --target target.yaml'],
  'partnerkit load run': ['partnerkit load run burst --target target.yaml --report html=burst.html,json=burst.json'],
  'partnerkit load install-k6': ['partnerkit load install-k6'],
  'partnerkit load archive': ['partnerkit load archive fleet --target target.yaml --out fleet.tar'],
  'partnerkit load manifest': ['partnerkit load manifest fleet --target target.yaml --parallelism 3'],
  'partnerkit completion': [
    'eval "$(partnerkit completion bash)"     # in ~/.bashrc, after bash-completion',
    'eval "$(partnerkit completion zsh)"      # in ~/.zshrc, after compinit',
    'partnerkit completion fish | source      # in ~/.config/fish/config.fish',
  ],
  'partnerkit rules': ['partnerkit rules labels --verification conformance'],
};

/** Adds the examples above to the help of commands. */
export function addExamples(command: Command, before = ''): void {
  const path = `${before} ${command.name()}`.trim();
  const lines = examples[path];
  if (lines !== undefined)
    command.addHelpText('after', `\nExample${lines.length > 1 ? 's' : ''}:\n  ${lines.join('\n  ')}`);
  for (const subcommand of command.commands) addExamples(subcommand, path);
}
