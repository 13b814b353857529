/** The name of an environment variable, as one writes them: a secret that was pasted in its place hardly looks so. */
export const isVariable = (text: string): boolean => /^[A-Za-z_]\w{0,63}$/.test(text) && text === text.toUpperCase();
