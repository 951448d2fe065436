// Function words. They are in most texts of their language, so they say nothing about which memory is meant, and they
// tell which language a text is in. `may` is left out of the English ones: it is a month.

export const ENGLISH_WORDS = `
  a about above after again against all also am an and any are as at be because been before being below between both
  but by can could did do does doing down during each else few for from further had has have having he her here hers
  herself him himself his how however i if in into is it its itself just let me might more most must my myself no nor not
  now of off on once only or other our ours ourselves out over own same shall she should so some such than that the
  their theirs them themselves then there these they this those through to too under until up upon us very was we
  were what when where which while who whom whose why will with would yet you your yours yourself yourselves
  d ll m re s t ve`

export const GERMAN_WORDS = `
  aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da damit
  dann das dass dein deine dem den denn der des deren dessen dich die dies diese diesem diesen dieser dieses dir doch
  dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen gewesen hab habe haben hat hatte
  hatten hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist jede jedem jeden jeder jedes
  jetzt kann kein keine keinem keinen keiner können könnte man mein meine mich mir mit muss müssen nach nicht nichts
  noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so solche soll sollte sondern
  sonst über um und uns unser unsere unter vom von vor war waren warum was weil welche welchem welchen welcher wenn
  wer werde werden wie wieder wir wird wo wurde wurden würde zu zum zur zwar zwischen`

export const FRENCH_WORDS = `
  à ai ainsi alors après as au aucun aucune aussi autre autres aux avant avec avoir avons c ça car ce cela ces cet
  cette ceux chaque ci comme comment d dans de depuis des donc dont du elle elles en encore entre est et étaient était
  été être eu eux fait ici il ils j je l la là le les leur leurs lui m ma mais me même mes moi mon n ne ni nos notre
  nous on ont ou où par parce pas pendant peu peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi
  s sa sans se sera ses si soit son sont sous sur t ta te tes toi ton tous tout toute toutes très tu un une vers vos
  votre vous y`

export const SPANISH_WORDS = `
  a al algo algunos ante antes aquí así aún aunque cada como cómo con contra cual cuál cuando cuándo de del desde
  donde dónde dos durante e el él ella ellas ellos en entonces entre era eran eres es esa esas ese eso esos esta está
  están estar estas este esto estos fue fueron ha había habían hace hacia han has hasta hay la las le les lo los más
  me mi mí mis mientras mucho muy nada ni no nos nosotros nuestra nuestro o otra otro otros para pero poco por porque
  pues que qué quien quién se sea según ser si sí sido sin sobre solo sólo son su sus también tanto te tiene tienen
  todo todos tras tu tú tus un una uno unos usted y ya yo`

export const PORTUGUESE_WORDS = `
  a à ainda alguém algum alguma ante antes ao aos aquela aquele aquilo as às até cada com como da das de dela dele
  depois do dos e é ela elas ele eles em enquanto entre era eram essa esse esta está estão estar este eu foi foram há
  isso isto já lhe mais mas me mesmo meu minha muito na não nas nem no nos nossa nosso num numa o onde os ou para
  pela pelas pelo pelos por porque qual quando que quem são se sem ser será seu seus si sido sob sobre sua suas só
  também te tem têm tenho ter teu tu tua tudo um uma você vocês`

export const RUSSIAN_WORDS = `
  а без более бы был была были было быть в вам вас ваш весь во вот все всё всего всех вы где да даже для до его ее её
  если есть еще ещё же за здесь и из или им их к как какая какой когда кто ли либо мне может мой мы на над надо нам
  нас наш не него нее неё нет ни них но ну о об однако он она они оно от очень по под после потому при про с сам
  свой себя со так также такой там тебя тем теперь то тоже только том тот ты у уже хотя чего чей чем через что чтобы
  чье эта эти это этого этой этом этот я`

/** English words, folded and in small letters, that say nothing by themselves. */
export const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  ENGLISH_WORDS.split(/\s+/).filter((word) => word !== ''),
)

// Everyday words: common verbs, nouns and adjectives of any prose. A question and a memory about another thing often share one, so
// sharing it says less than its rarity in a small scope does; see GRADES.everyday. Unlike a stop word it is indexed, and counts whole in
// a score. Put together by hand for each language from what is common in its speech and plain prose, names of things of one
// trade left out. One form of each word, or of each stem where its forms have several; `everydayStems` reads them.

export const EVERYDAY_ENGLISH = `
  able accept account across act action actual add age ago agree air allow almost alone along already although always
  among amount animal another answer anyone anything appear apply appropriate area arm around arrive art article ask
  available away back bad base beautiful become bed begin behind believe benefit best big bit black blue board body
  book bottom box boy break bring brother brown build business buy call car card care carry case catch cause center
  central certain certainly chance change character check child choice choose city class clean clear clearly close
  clothes cold college color come common community company compare complete concern condition consider contain content
  continue control cook cool correct cost country couple course cover create cross current cut dance dark date
  daughter day dead deal dear death decide decision deep describe design despite detail develop die difference
  difficult dinner direct direction discover discuss doctor dog door draw dream drink drive drop dry early earn easily
  east easy eat education effect effort either empty encourage end energy enjoy enough ensure enter entire especially
  even event ever every everyone everything exactly example except exist expect experience explain extra eye face fact
  fail fall family famous far fast father favorite fear feature feel field fight figure fill final find fine finish
  fire first fish fit five fly focus follow food foot force foreign forget form former forward four free friend front
  full fun future gain game garden general get gift girl give glad go goal great green ground group grow guess guy
  hair half hand handle hang happen happy hard hat head health hear heart heat heavy help high history hit hold home
  hope hot hour house huge human hundred husband idea ignore image imagine important improve include increase indeed
  information inside inspire instead interest issue item job join keep key kid kind kitchen know knowledge land
  language large last late later laugh law lead leader learn least leave left leg less letter level lie life light
  like limit line list listen little live local long look lose loss lot love low lucky main major make man manage many
  mark marriage matter maybe mean measure meet member memory mention method middle mind minute miss modern moment
  money month morning mother mountain mouth move movie much music name national natural near nearly necessary need
  never new next nice night none north note nothing notice number object occur offer office often oh old one onto open
  opinion opportunity option orange order organization original ought outside page paint pair paper parent park part
  participate particular particularly party pass past pay people perfect perform perhaps period permit phone photo
  pick picture piece place plan plant play please point poor popular position positive possible power practice prefer
  prepare present president pretty prevent previous price prior private probably problem process produce product
  program project promise proper protect proud prove provide public pull purpose push put quality question quick
  quickly quiet quite race rain raise range rate rather reach react read ready real realize really reason receive
  recent recognize record red reduce relate relationship remain remember remove repeat reply report represent require
  research respond response rest result return right rise road rock role room round rule run sad safe save say school
  science sea season seat second see seem sell send sense separate serious serve service set seven several shape share
  short shoulder show shut side sign similar simple simply since sing single sister sit situation six size skill sleep
  slow small smile social somebody someone something sometimes son song soon sort sound south space speak special
  specific spend sport spring stand standard star start state stay step still stop store story straight street strong
  student study stuff subject success suddenly suggest summer sun support suppose sure surprise sweet system table
  take talk tall task teach teacher team tell ten term test thank therefore thing think third though thousand three
  throw thus time tiny tip title today together tomorrow tonight top total touch toward town trade travel tree trip
  trouble true trust truth try turn twice two type understand unique unit use usual value various view visit voice
  wait walk wall want war warm wash watch water way wear weather wedding week weekend weight welcome well west
  whatever whether white whole wide wife win wind window winter wish within without woman wonder wood word work world
  worry worth write wrong yard yeah year yellow yes yesterday young`

export const EVERYDAY_GERMAN = `
  abend acht aktuell allein allgemein alt anbieten anfang angeben angst ankommen annehmen anrufen ansehen antwort
  anzahl arbeit arm art arzt aufgabe aufhören aufnehmen auge augenblick ausgang aussehen auto außen bald band bauen
  baum bedeuten begann beginn beide beispiel bekannt bekommen bereich bereit berg bericht beruf besonder besser best
  bestehen bestimmt besuch bett bewegen bezahlen beziehung bild bitte blau bleiben blieb boden brachte brauchen breit
  brief bringen bruder buch dabei dachte dafür dagegen daher dahin damals danach dank daran darauf daraus darin darum
  darüber dauer davon dazu denken deutlich dick ding direkt drei dritte drücken dunkel durchschnitt dünn dürfen eben
  ebenso ecke ehe eher eigen eigentlich einfach einfluss eingang einige einmal eins einsatz einzeln einzig eltern ende
  endlich eng enthalten entscheiden entstehen entwickeln entwicklung erde ereignis erfahren erfolg ergebnis erhalten
  erinnern erkennen erklären erlauben ernst erreichen erscheinen erst erwarten erzählen essen etwa fahren fahrt fall
  falsch familie fand farbe fast fehlen feld fenster fern fertig fest feuer film finden fliegen folge form frage frau
  frei freude freuen freund früh funktionieren fuß führen fünf gab ganz gar garten gast geben gebiet gebrauchen
  gedanke gefallen gefunden gefährlich gefühl gegangen gegeben gegenüber gehen gehören gekommen geld gelten gemeinsam
  genannt genau genommen genug gerade gern geschehen geschichte geschrieben geschäft gesehen gesellschaft gesetz
  gesicht gesprochen gespräch gestern gesund getan gewinnen gewiss gewusst gewöhnlich gezogen ging glauben gleich
  glück gott grenze groß grund gruppe größte grün gut haar halb half halten hand hart haus heben heiß helfen hell herr
  herz heute hielt hilfe himmel hinein hoch hoffen hoffnung holen hund hälfte hängen höhe hören idee immer inhalt
  innen insgesamt interesse interessieren jahr jemals jemand jung kalt kam kannte kaufen kaum kennen kind klar klein
  kochen kommen kopf kosten kraft krank krieg kunst kurz körper lachen lag land lang langsam lassen laufen laut leben
  leer legen lehrer leicht leiden leisten leistung leiten lernen lesen letzt leute licht lieb lied lief liegen ließ
  linie links liste luft machen mal manch mann meer mehr meinen meinung meist melden menge mensch merken minute
  mitglied mittag mitte mittel moment monat morgen mund musik mutter mädchen möglich müde nachdem nacht nah nahm name
  nannte natürlich neben nehmen nennen neu neun nie niemand normal notwendig nummer nutzen nämlich nützlich offen oft
  ohr ordnung ort paar papier person pflanze pflegen plan platz plötzlich preis problem punkt rechnen recht reden
  regel regen reich reihe reise richtig richtung rot rufen ruhe ruhig rund rücken sache sagen sah sammeln satz
  schaffen schauen scheinen schicken schlafen schlagen schlecht schließen schlimm schnell schon schreiben schrieb
  schritt schule schwarz schwer schwester sechs see seele sehen seite selbst selten senden setzen sicher sieben sinn
  situation sitzen sofort sogar sohn sollen sommer sonne sorge sowie spiel sprach sprechen später staat stadt stand
  stark stehen stein stelle sterben stimme straße student studieren stunde stück suchen system tag tat tatsache teil
  teuer thema tief tier tisch tochter tod tot tragen treffen trennen treten trinken trotz tun typ typisch tür uhr
  umgebung ungefähr unterschied ursprung vater verbinden vergessen vergleich verhalten verkaufen verlassen verlieren
  verlor verschieden verstand verstehen versuch verwenden verändern viel vielleicht vier volk voll vorher vorstellen
  wachsen wahl wahr wald wand warm warten wasser weg weit weiß welt wenig werk wert wetter wichtig wieso wind winter
  wirken wirklich wissen woche wohl wohnen wohnung wollen wollte wort wunsch wusste während zahl zehn zeichen zeigen
  zeit zeitung ziehen ziel ziemlich zimmer zog zuerst zufrieden zukunft zuletzt zurück zusammen zustand zwei zweite
  ähnlich öffentlich öffnen üben überall überhaupt überlegen übrig`

export const EVERYDAY_FRENCH = `
  abord accepter accord acheter action actuel afin agir aide ailleurs aimer air ajouter allait aller amener ami amour
  an ancien animal annoncer année appartenir appel apporter apprendre appris approcher arbre argent arme arriver
  arrêter art attendre attention aujourd aujourdhui auprès autant auteur autour avancer avenir avis ayant balle bas
  beau beaucoup belle besoin bien bientôt blanc bleu boire bon bonheur bord bouche bras bruit but cas cause centre
  certain certes chambre chance changement chaud chef chemin cher chercher cheval cheveu chez chien chiffre choisir
  choix chose ciel cinq clair classe coin combien commencer commun compagnie comparer complet comporter comprendre
  compris compte condition conduire connaître connu conseil considérer construire contenir content continuer contraire
  contre corps correspondre coucher couleur coup courir court couvrir coûter crier croire cru créer cuisine côté cœur
  debout dedans dehors demain demande demi dernier derrière descendre dessous dessus deux deuxième devait devenir
  devenu devoir dieu difficile différence dire direct discuter disent disponible disposer dit dix docteur doigt doit
  doivent donner dormir dos doute doux droit dur début décider décision découvrir déjà dépendre désir détail dû eau
  effet effort emmener employer emporter empêcher endroit enfance enfant enfin ensemble ensuite entendre entier
  entièrement entraîner entrer entrée environ envoyer erreur espoir esprit espèce espérer essayer essentiel exactement
  exemple existence exister expliquer exprimer expérience face facile faible faim faire faisait fallait falloir
  famille faut faux façon femme fenêtre fera fermer feu feuille fille film fils fin fois fonction fond font force
  forme fort fou foule frais frapper froid front frère gagner garder garçon gauche gens grand gros groupe grâce guerre
  habiter habitude haut herbe heure heureux hier histoire hiver homme huit idée image imaginer importance impossible
  indiquer intéresser intérieur intérêt inviter ira jamais jambe jardin jaune jeter jeu jeune joie joindre jouer jour
  journal journée juger jusque juste laisser langue large larme lent lequel lettre lever libre lien lieu ligne lire
  liste lit livre loi loin long longtemps lorsque lourd lu lumière lutte léger madame main maintenant maison majorité
  mal malgré manger manière manquer marche mari mariage matin mauvais mauvaise maximum maître meilleur membre mener
  mentionner mer message mesure met mettre midi mieux milieu mille million minute mis moins mois moitié moment monde
  monsieur montagne monter montrer morceau mort mot mourir mouvement moyen mur musique mémoire nation nature naturel
  naître neuf noir nom nombre nombreux nommer normal nouveau nouvelle nuit né nécessaire objet obtenir occasion
  occuper offrir oiseau oncle or ordre oreille oser oublier ouvert ouvrir page pain papier pareil parfois parler
  parole part partager particulier partout passage passer pauvre payer pays peine pendre penser perdre perdu permettre
  permis personne personnel petit peuple peur peuvent photo pied pierre pièce place plaire plaisir plan plein pleurer
  plupart plusieurs plutôt poche point politique population porte poser position possible posséder poste pourra
  pourtant pousser pouvait pouvoir pratique premier prend prendre prennent presque pression prier principal pris prit
  prix problème prochain proche produire produit profiter profond projet promettre propos propre provenir précis
  préférer préparer présence présent prévoir public puis puisque puissance père période qualité quantité quart quatre
  question quitter quoique raconter raison rapide rappeler rapport rare recevoir recherche reconnaître reconnu refuser
  regard relation remarquer remettre remonter remplacer remplir rencontre rendre rentrer repos représenter reste
  retard retenir retirer retour retourner retrouver revenir reçu riche rien rire risque robe rouge route rue règle
  réduire région répondre réponse résultat réunir réussir réveiller rêve rôle saisir saison sait salle sang santé sauf
  sauter savait savoir second secret selon semaine sembler sens sentiment sept serrer service servir seul signe
  signifier silence simple situation situer six siècle soir soldat soleil solution somme sommeil sorte soudain
  souffrir souhaiter soutenir souvenir souvent spécial spécifique su suffire suite suivant suivre sujet supposer
  supérieur surtout système séparer série sérieux sûr sœur table tableau taille tandis tant tantôt tard tel temps
  tendre tenir tenter tenu terme terminer terre tient tiers tirer titre tomber total toucher toujours tour tourner
  train traiter tranquille travail travailler travers traverser trois troisième tromper trop trouver tuer type tête
  unique utile utilisation va vais valeur valoir varier vendre venir vent venu verre vert veut vide vie vieille vient
  vieux village ville vingt visage visiter vite vivre voici voie voilà voir voisin voit voiture voix volonté vont
  voudrait voulait vouloir voyage vrai vu vérité vêtement yeux âge échange école écouter écrire écrit également église
  élever équipe état étendre étoile étrange étude étudier éviter événement œil œuvre`

export const EVERYDAY_SPANISH = `
  abierto abrir acabar acción aceptar acerca actual acuerdo adelante además agua aire alcanzar alguien alguno alto
  amigo amor amplio andar animal anterior antiguo aparecer aparte apenas aprender aprovechar aproximadamente aquello
  arma arriba arte aspecto atención aumentar ayer ayuda azul bajar base bastante beber bien blanco boca brazo bueno
  buscar caballo cabeza cabo caer calidad calle calor cama cambiar camino campo cantidad capaz capital cara cargo
  carne carta carácter casa casi causa centro cerca cerrar cielo ciento cierto cinco ciudad claro clase color comenzar
  comer comparar compañía completo comprar comprender comunidad conocer conseguir considerar construir contar contener
  continuar contrario convertir corazón correr corto cosa costa costumbre crear crecer cualquier cuanto cuarto cuatro
  cubrir cuenta cuerpo cuestión cuidado cultura curso da dado dar dato debajo debe decidir decir decisión dedicar dedo
  definir dejar delante demasiado demostrar demás dentro derecho desaparecer desarrollar describir descubrir desear
  despertar después detrás dice dicho diez diferencia difícil dijo dinero dio dios dirección directo dirigir distancia
  distinto doble doctor dolor domingo dormir duda durar día echar edad edificio efecto ejemplo elegir elemento empezar
  empresa encima encontrar enemigo enfermo enfrente enorme enseñar entender entrada entrar enviar equipo error
  escribir escrito escuchar escuela esfuerzo espacio especial especie esperar esposo establecer estado estudiante
  evitar exacto existir experiencia explicar expresar extraño falta familia famoso favor fecha feliz figura fin final
  flor fondo forma frente frío fuego fuera fuerte fuerza funcionar futuro fácil físico ganar general gente gobierno
  golpe gran grande grupo guardar guerra gustar haber habitación hablar hacer hallar hambre hecho hermano hermoso hija
  historia hizo hogar hoja hombre hora hoy huir iba idea iglesia igual imagen imaginar importancia imposible incluir
  incluso indicar individuo información iniciar intentar interesante interior ir jamás jardín joven juego jugar juntar
  jurídico justo labio lado lanzar largo leer lejos lengua lento letra levantar ley libertad libre limitar lista
  llamar llegar llenar llevar llorar lluvia lograr luchar luego lugar luna luz línea madre maestro mal mandar manera
  mano mantener mar marcar marchar matar materia mayor mañana media mejor memoria menor mensaje mente mercado mes
  meter metro mil millón minuto mirada mismo mitad modo momento montaña morir mostrar mover movimiento muchacho mueble
  muerte mujer mundo médico música nacer nacional nación nadie natural naturaleza necesario necesidad necesitar negar
  negro ninguno niño noche nombrar normal norte notar noticia novio nube nueve nunca número objeto obligar obra
  obtener ocasión ocho ocupar ocurrir ofrecer ojo olvidar opinión orden oro oscuro oír padre pagar palabra papel par
  parecer parte particular pasado país pedir pelo pensamiento pensar peor pequeño perder perfecto periodo permanecer
  permitir perro persona personal pertenecer pesar pie piedra piel pierna plan planta playa plaza población pobre
  poder política poner popular posibilidad posible posición preciso preferir pregunta preparar presencia presentar
  presidente prestar previo primero principal principio privado probar problema proceso producir producto profesor
  profundo programa pronto propio proponer proyecto prueba próximo pudo pueblo puede puerta puesto punto puso página
  público quedar querer quiere quitar quizá rato razón real realidad realizar realmente recibir reciente recoger
  reconocer recordar recuerdo recurso reducir referir región regla relación repetir representar respecto responder
  respuesta restar resultado reunión rey reír rico rojo romper ropa rostro rápido río sabe sacar salir salud sangre
  secreto seguir segundo seguro seis semana semejante sencillo sentar sentimiento separar serie servicio servir
  señalar señor siempre siete siglo significar siguiente silencio silla sistema sitio situación situar social sociedad
  sol solución sonido sonreír soñar subir suceder suelo suerte sueño suficiente sufrir superior suponer sur surgir
  tabla tal tamaño tampoco tarde tarea tema tener tercero terminar tiempo tienda tierra tipo tirar tocar todavía tomar
  tono total trabajar traer trajo tratar tres triste tuvo técnica título unidad unir usar uso utilizar va vacío valer
  valor variar veces vecino veinte velocidad vender venir ventana ver verano verdad verdadero vestido vez viaje vida
  viejo viene viento vino visitar vista vivir voluntad volver voz vuelta árbol área época éxito último único útil`

export const EVERYDAY_PORTUGUESE = `
  aberto abrir acabar aceitar achar acima acontecer acordo acreditar agora ajuda algo alto além amanhã ambiente amigo
  amor amplo andar animal ano anterior antigo aparecer apenas apesar aprender apresentar aqui ar arte assim assunto
  atenção através atrás atual aumentar autor avó azul ação baixo base bastante beber belo bem boca bom branco braço
  buscar cabelo cabeça cair cama caminho campo cansado cantar capaz cara carro carta caráter casa causa cedo cem
  central centro certo chamar chegar cheio chover chuva chão cidade cima cinco claro classe coisa colocar comer
  começar companhia comparar completo comprar compreender comum comunidade condição conhecer conseguir considerar
  construir conta conteúdo continuar contra contrário conversar cor coração corpo correr cortar costa costumar crença
  crescer criança criar cuidado cultura curso curto custar céu dado dar data debaixo decidir decisão dedo definir
  deixar dentro descer descobrir descrever desde desejar desenvolver despertar deu deve dez dia diferente diferença
  difícil dinheiro direito direto direção disse distância dito dividir diz dois dona dor dormir duas durante durar
  dúvida efeito elemento embora empresa encontrar enorme ensinar entender entrada entrar então enviar equipe erro
  escola escolher escrever escrito escuro escutar espaço especial esperar esposa espécie esquecer estado estava esteve
  estrada estranho estudar evitar exato exemplo existir experiência explicar face falar faltar famoso família favor
  faz fechar feito feliz fez ficar figura filha fim final flor fogo fora forma forte força frente frio funcionar fundo
  função futuro fácil físico ganhar gente geral gostar governo grande grupo guardar guerra haver história hoje homem
  hora idade ideia igreja igual ilha imagem imaginar importante impossível incluir indicar indivíduo informação
  inteiro interesse interior início ir irmã jamais janela jardim jogar jornal jovem junto justo lado lançar largo lei
  lembrar lento ler letra levantar levar liberdade limite linha lista livre local logo longe lugar luz língua maior
  mal mandar maneira manhã manter mar marcar matar matéria mau medida meio melhor memória menino menor menos mensagem
  mente mercado mesa metade meter mil minuto modo momento montanha morar morrer morte mostrar motivo mover movimento
  mudança mudar mulher mundo mãe médico médio mês música nacional nada nascer natural natureza nação necessidade
  necessário negro nenhum ninguém noite nome normal norte notar notícia nove nunca número objeto obra obter ocasião
  ocorrer oferecer oito olhar olho ontem opinião ordem orelha ouro outro ouvir pagar pai palavra papel par parecer
  parede parte particular passado paz país pedir pedra pegar pele pensamento pensar pequeno perceber perder perfeito
  pergunta perigo permitir perna pertencer perto período pessoa pessoal plano planta pobre pode política ponto popular
  porta posição possuir possível pouco povo praia prazer precisar preferir preparar presente presença presidente preso
  prestar pretender preço primeiro principal princípio privado problema processo procurar produto produzir professor
  profundo programa projeto prova próprio próximo página pé pôde pôr pôs público qualidade qualquer quantidade quarto
  quase quatro quente quer questão rapaz razão real realidade realizar receber recente reconhecer recurso reduzir
  referir região regra rei relação repetir representar responder resposta resto resultado reunião rico rio rir rosto
  roupa rua rápido sabe sair sala sangue saúde secreto seguinte seguir segundo seguro seis semana semelhante sempre
  senhor sentido sentimento separar servir serviço sete significar silêncio simples sistema situação social sociedade
  sofrer sol solução som somente sonho sorrir sorte subir suficiente sul superior surgir século série sítio tal talvez
  tamanho tanto tarde tarefa tema tempo tentar terceiro terminar termo terra teve tinha tipo tirar tocar tomar tornar
  total trabalhar tratar trazer triste trouxe três técnica título unidade usar uso utilizar vai vale valor variar
  vazio veio velho vender vento ver verdade verdadeiro verde vermelho vestir vez viagem vida vinte vir visto viu viver
  vizinho voltar vontade voz vários água área época último único útil`

export const EVERYDAY_RUSSIAN = `
  автор адрес армия база башня белый берег беседа билет близкий бог болезнь боль больше брат будущее быстро важный
  вариант введение вдруг век великий верить вернуть верный вес весна вести вечер вещь взгляд взять вид видеть видно
  вкус власть вместе внешний внимание внутри вода возможно возраст война вокруг волна волос вообще вопрос впервые
  вперед время всегда вспомнить вставать встать встретить встреча второй входить выбирать выбор выбрать выглядеть
  выйти высокий выход газета главный глаз глубокий говорить год голова голос голубой гора город господин гость
  государство готовить группа давать давно далекий данный дать два двадцать дверь движение девочка девушка действие
  действительно действовать делать дело день деньги деревня дерево держать десять деталь дети длинный длиться добавить
  добрый доктор долгий должен дом дорога достаточно достать друг думать душа еда единица единственный ездить ехать
  желание железный желтый жена женщина живой животное жизнь жить забыть завод завтра задача закон закрыть заметить
  занимать занять запись звать звук здание здоровье здравствовать зеленый земля зима знак знакомый знание знать
  значение значить золото игра играть идея идти известный изменение изменить изучать именно иметь имя иначе интерес
  интересный информация искать искусство использование использовать история исходить каждый казаться капля карта
  качество квартира класс книга количество команда комната конец конечно кончить короткий край красивый красный кровь
  кроме круг крупный крыша куда купить курс лежать лес лето лист литература лицо лучше любить любовь люди маленький
  мало мальчик масса материал мать машина между мелкий менее меньше место месяц метр мечта минута мир многие множество
  молодой момент море мочь мощный муж мужчина музыка мысль назад название назвать называть найти направление например
  народ настоящий находить начало начинать небо небольшой невозможно неделя необходимо несколько новый нога ночь
  нравиться нужно область образ образование обратиться общество общий объект объяснить обычно огонь один одинаковый
  озеро оказаться окно около опыт опять орган основа основной особенно особый оставить остановить остаться ответ отдел
  отдельный отец открытый открыть отличие отношение отправить ошибка память пара первый перед передать перейти период
  песня писать письмо план плохо площадь победа повод повторить подготовить подобный подойти подумать поездка
  позволить поздно пойти показать поле полезный полный половина положение получать получить помнить помогать помочь
  помощь понимать понять пора порядок последний последующий поставить постоянно похожий почему почти появиться правда
  правило правильно праздник предложить предмет представить предыдущий прежде прийти пример принимать принцип принять
  природа приходить причина проблема проверить продать продолжать продукт произвести произойти просить просто против
  процент процесс прошлый прямо птица путь пять работа работать рабочий равный раз развитие размер разница разный
  район рано раньше рассказ рассказать рассмотреть расстояние ребенок результат река решать решение решить роль россия
  рост рот рубль рука русский ряд самый сбор свет светлый свободный связь северный сегодня седьмой сей секунда семь
  сердце середина серый серьезный сестра сила сильный система сказать сколько скоро скорость слабый следить следовать
  слишком слово сложный служба служить случай случиться слушать слышать смерть смотреть смочь снег снова собака
  собирать собраться событие совершенно совет современный согласный создание создать солнце сон сообщить
  соответствовать сосед состав составить состояние состоять сохранить спать специальный список способ спросить среди
  средний средство срок ставить стакан станция старший старый статья стена степень стоить стол сторона стоять страна
  страх строить студент стул суд судьба сумма существовать считать сын таблица твердый текст тело тема темный тепло
  терять тип тихий товар тонкий точка точно требовать третий три труд трудно тысяча тяжелый убить увидеть угол удобный
  узнать уйти улица умереть уметь упасть уровень условие условный успеть успех установить устать утро ухо уходить
  участие учитель учить факт фамилия форма функция характер хлеб ходить хозяин холодный хороший хотеть цвет целый цена
  центр час часто человек четвертый четыре число читать член чувство чувствовать чужой шаг шесть широкий школа штука
  шум экран элемент этап юный язык ясно`
