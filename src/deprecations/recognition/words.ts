/** What keywords, and names of methods and properties, tell in the languages and libraries that people write clients with. */

/** Methods too common to tell by their name which object they belong to. */
export const commonName =
  /^(?:get|list|all|find|fetch|request|call|show|edit|update|run|main|execute|send|query|load|then|map|filter|push|add|set|open|read|do|post|put|new|constructor|initialize|__init__)$/;

/** Functions that hand on what they are given, in another form. */
export const passing =
  /^(?:json|loads?|parse|decode|json_decode|deserialize\w*|from_(?:str|slice|json|value|reader)|fromJson|JSON|readTree|readValue|unmarshal|list|sorted|reversed|enumerate|iter|next|filter|cast|gather|all|body|text|readall|ReadAll|array|Array|from|values|String|str|dict|clone|first|last|curl_exec|read|Parse|Deserialize|DeserializeObject|Some|Ok|array_values|array_filter|structuredClone|ConvertFrom-Json|toList|zip|tuple|stream)$/i;

/** Functions that make an address or a request out of an address, without sending it. */
export const building =
  /^(?:url|uri|format|sprintf|printf|join|urljoin|parse|create|of|new|string|str|concat|curl_init|request|newrequest(?:withcontext)?|httprequestmessage|newbuilder|touri|httprequest|restrequest|to_owned|to_string|path|joinpath|build|from|post_new)$/i;

/** Properties through which the whole of an answer is reached, not a part of a record. */
export const neutral =
  /^(?:data|body|json|results?|items|records|content|value|payload|response|first|last|rootelement|each|each_with_index|each_entry|select|reject|find|detect|filter|sort_by|lazy|to_a|parsed_response|parsed|iter|into_iter|values|compact|await|text|val|obj|output|at|attributes|stdout|unwrap|nodes|map|flat_map|firstOrNull)$/i;

/** Methods whose result is no longer what they were called on. */
export const turning =
  /^(?:map|flatMap|flat_map|reduce|fold|keys|pluck|join|length|size|count|any|some|every|includes|indexOf|Select|mapNotNull|group_by|groupBy|push|write|append|toString|mapToObj|to_h|each_with_object|partition)$/;

/** Methods that read a field, whose name is their argument. */
export const reading =
  /^(?:get\w*|path|dig|fetch|opt\w*|GetProperty|TryGetProperty|at|item|pointer|SelectToken|Value|has|required|getattr|data_get|array_column|pluck|prop|property|value|containsKey|field|hasOwn|array_key_exists|itemgetter|key\?|include\?|hasOwnProperty)$/;

/** Names of servers' routes: a path there is served, not called. */
export const serving =
  /^(?:app|router|server|routes?|blueprint|bp|mux|r|fastify|express|handler|HandleFunc|Handle|HandlerFunc|GetMapping|PutMapping|PostMapping|PatchMapping|DeleteMapping|RequestMapping|Path|HttpGet|HttpPut|HttpPost|Route|MapGet|MapPut|MapPost|resources|page|link|Link|navigate|redirect|href|to|visit|goto|push)$/;

/** Words that lead to a condition, a block or a value, and so are no names of functions. */
export const control =
  /^(?:if|for|foreach|while|switch|catch|match|using|lock|elseif|elif|unless|until|with|when|return|await|and|or|not|in|guard|else|do|try)$/;

/** Words before a name that is declared. */
export const declarations = /^(?:let|const|var|val|final|static|private|public|protected|readonly|export|auto|mut)$/;
