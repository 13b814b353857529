/** Whether a text is the name of an environment variable in capitals, which a secret pasted by mistake hardly is. */
export const isVariable = (text: string): boolean => /^[A-Za-z_]\w{0,63}$/.test(text) && text === text.toUpperCase();
