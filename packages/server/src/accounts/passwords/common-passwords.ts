// Common passwords and words that they are made of, without vulgar ones. Most are from the frequency list of leaked passwords in
// @zxcvbn-ts/language-common (MIT License, Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., Copyright (c) 2021 @zxcvbn-ts).
export const COMMON_PASSWORDS = `
0.0.0.000 1232323q 1234567890a 1234567890q 123456789a 123456789q 123456789z 12345678a 12345678q 1234567a 1234567q 123456aa 123456qw 123456qwerty 12345qwe 12345qwert 1234abcd 1234asdf
1234qwer 123qq123 123qwe123 123qweasd 123qweasdzxc 123qwerty 12qw34er 12qwaszx 1a2b3c4d 1a2s3d4f 1passwor 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qa2ws3ed 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 1x2zkg8w
7ugd5hip2j 8j4ye3uz 9293709b13 a1234567 a12345678 a123456789 a1b2c3d4 a1s2d3f4 aa123456 aaaaaaaa aaliyah aardvark aaron abc12345 abcd1234 aberdeen abgrtyu abigail abraham absolut absolute
access accord account achilles action active adams adgjmptw adidas admin adminadmin administrator admiral adonis adrian adriana adrienne adult adults aezakmi affiliate africa again agent007
aggies aikido airborne airbus airforce airplane akira alabama alaska albatros albert alberto albina albion alejandr alejandro aleksandr aleksandra aleksey alenka alexalex alexande alexander
alexandr alexandra alexey alexia alexis alfred alibaba alice alicia alien aliens alina alisha alison allan allen alliance allison allmine allsop allstar alpha alphabet alpine alucard always
alyssa amadeus amanda amateur amateurs amazing amazon amber amelia america american amigo amsterda amsterdam anaconda anakin anarchy anastasia anders anderson andre andrea andreas andrei
andres andrew andrey andromed andromeda anfield angel angela angelica angelina angelo angels angie angus anhyeuem animal animals anime anita annabell annette annie annika answer anthony
antoine anton antoni antonio anubis anything apache apollo apple applepie apples april aquarius aragorn arcadia archer archie argentina ariana arizona arjay arlene armagedon armani arnold
artem artemis artemka arthur artist artur arturo asdasd asdf1234 asdfasdf asdfg asdfgh asdfghj asdfghjk asdfghjkl asdfjkl asdfzxcv asdzxc ashlee ashleigh ashley ashton asian aspire aspirine
assassin asshole1 assholes assword asterix astrid astro astros athena athens athlon atlanta atlantic atlantis atomic attack attitude aubrey auburn audrey august augusta augustus aurora
aussie austin australi australia autumn avalanch avalon avatar avenger awesome azamat azerty azertyuiop azsxdc azsxdcfv babies babybaby babyblue babyboy babydoll babyface babygirl babylon
babylon5 babylove bacardi bacchus backdoor backup bacon badboy baddog badger badgirl badman baggins baggio bagira bailey balance baldwin baller balloon balloons bambam bamboo banana bananas
banane bandit banker banner banshee banzai barbados barbara barber barbie barcelon barcelona barker barkley barnes barney baron barrett barry barsik bartman barton baseball basket basketba
basketball batman battle baxter bayern bcfields beach beaches beagle beamer beaner beanie beans bearbear bearcat bears beast beastie beatle beatles beatrice beautifu beautiful beauty beavis
because becker beckham becky beefcake beemer beerbeer beetle believe belinda bella belle belly bender benfica bengals benjamin bennett benny benson bentley beowulf beretta berger berlin
bermuda bernard bernie bertha bertie bethany better betty beverly bhbirf bianca bicycle bigbear bigbird bigblue bigboy bigdaddy bigdog bigfish bigfoot bigger biggie biggles bigguy bigmac
bigman bigmike bigmoney bigone bigred bigtime bigtit bikini bilbo billie billy billybob billyboy bimmer bingo binladen birdie birdman birthday biscuit bishop biteme bizkit blabla black
blackbir blackcat blackdog blackhaw blackie blackjac blackjack blackman blackout blacks blacky blade blades blahblah blake blaster blaze blazer blessed blessing blink182 blizzard blonde
blondes blondie blood bloody blossom bluebird blueblue blueboy bluedog blueeyes bluefish bluemoon blues bluesky bobafett bobbie bobbob bobby bobcat bobdylan boeing bogart bogdan bogey bohica
bollox bomber bonehead bones bonita bonjour bonjovi bonkers bonnie bonsai boogie booker bookworm boomboom boomer bootie boots boricua boris borussia bosco bossman boston bottle bottom bounce
bowler bowling bowser boxing boxster bradford bradley brandi brando brandon brandy brasil braves bravo brazil breast breasts breeze brenda brendan brent brett brewer brewster brian briana
brianna bridge bridget bright brighton brigitte bristol britney brittany brittney broadway broken bronco broncos brooke brooklyn brooks brother brothers brown brownie browning browns bruce
brucelee bruins bruno brutus bryan bryant bubba bubbas bubble bubbles bucket buckeye buckeyes buckshot budapest buddah buddha buddie buddy buddyboy budlight budman budweise buffalo buffett
buffy bugger builder bulldog bulldogs bullet bullfrog bulls bullseye bunghole bunny burger burton business busted buster butch butcher butler buzzard byteme cabbage cactus cadillac caesar
caitlin calgary calico caliente californ california caligula callaway callie calvin camaro cambiami camel camelot camels cameltoe camera cameron camilla camille campbell camper canada
canadian cancel cancer cancun candice candle candy candyman cannabis cannon canon cantona canyon capital capone caprice capslock captain caramel caravan carbon cardinal cards carina carla
carlito carlitos carlo carlos carlton carmel carmen carol carole carolin carolina caroline carolyn carpedie carpet carrera carrie carrot carson carter cartman cartoon casanova caserta casey
casino casper cassidy cassie castle castro catalina catdog catfish catherin catherine cathy catman cattle cavalier caveman ccbill cdtnkfyf cecilia cedric celeron celeste celica celine celtic
celtics center central century cerberus cessna cfitymrf cgfhnfr chainsaw chair champ champion champs chance chandler chanel chang change changed changeit changeme chaos charger chargers
charity charlene charles charley charli charlie charlott charlotte charlton charly charmed chase chaser cheater check checkers cheech cheeks cheers cheese cheetah chelsea chemical cheng
cherokee cherry cheryl chester chevelle chevrole chevrolet chevy chewie cheyenne chicago chichi chicken chickens chicks chico chief chiefs children chimera china chinook chipper chippy
chivas chloe chocolat chocolate chong chopin chopper chris chrisbln chrissy christ christia christian christie christin christina christine christmas christop christopher christy chrome
chronic chrono chrysler chuai chuang chubby chuck chuckie chuckles chucky chunky church ciccio cicero cigars cinder cindy cinema cinnamon circle circus citizen cjkysirj cjkywt claire clancy
clapton clarence clarinet clark classic claude claudi claudia claudio claymore clayton clemson clevelan clifford clinton clipper clitoris cloud clouds clown cobalt cobra cocacola cocaine
coconut coffee cohiba coldbeer coleman colleen college collin collins colombia colonel colorado colors colton coltrane columbia columbus combat comet comics command commando commission
common company compaq compute computer concrete condom condor confused connect conner connie connor conrad consumer contact content contrasena control cookie cookies cooldude cooler coolguy
coolio coolman coolness cooper cooter copper corleone cornell corona corrado correcthorsebatterystaple corsair corvette cosmic cosmo cosmos cosworth cotton cougar cougars counter country
county courage courtney cowboy cowboys coyote crack cracker craig crash crawford crazy crazybab cream creampie creamy creative creature credit cricket criminal crimson cristian cristina
critter crjhgbjy cruise cruiser crunch crusader crysis crystal cthulhu cthutq cubbies cubswin cuddles cupcake curious curtis custom cutter cxfcnmt cyber cyclone cyclops cygnus cynthia
cypress daddy daemon daewoo dagger daisy dakota dalejr dallas dalton damage damian damien dammit damnit dance dancer danger danie daniel daniela danielle daniil danila danni danny dannyboy
dante danzig daphne darius darklord darkman darkness darkside darkstar darling darrell darren darwin david davide davids davidson davis dawson daytona dbrnjh dbrnjhbz deacon deadhead deadman
deadpool deanna death debbie deborah december deedee deejay deepthroat deeznuts deeznutz default defender defiant deftones delete delphi delta deluxe demon demons denali denis denise deniska
dennis denver depeche derek derrick desert design designer desire desiree deskjet destiny destroy detroit deutsch devil devildog devils dexter dfcbkbq dfkthbz dfkthf dfktynbyf dfvgbh dharma
diablo dialog diamond diamonds diana dianne diego diesel dietcoke dieter digger diggler digital dilbert dilligaf dillon dinamo dingdong dinosaur direct director dirtbike dirty discover
disney diver divine divorce dixie dkflbckfd dkflbvbh doberman doctor dodge dodger dodgeram dodgers dogfood doggie doggy doghouse dogman doitnow dollar dollars dolores dolphin dolphins domain
dominic domino donald donkey donna donnie donuts doobie doodle doogie dookie dorian dorothy dotcom double doughboy douglas downtown dracula drago dragon dragonba dragonball dragons dragoon
drake dream dreamer dreams driver drizzt droopy drowssap drpepper drummer drunk dthjybrf dublin ducati duchess dudley duncan dundee durango duster dustin dusty dutch dutchess dwayne dwight
dylan dynasty eagle eagles eastside eastwood eatme ebony eclipse eddie edgar eduard eduardo edward edwards eeyore eileen einstein ekaterina elaine eldorado eleanor electra electric electron
element elena elephant eleven elijah elite elizabet elizabeth elizaveta elliot elliott elvira elvis elwood emerald emerson emily eminem emmanuel emmitt empire energy engage engine engineer
england english enigma enjoy enter enterpri enterprise entropy eraser erica ericsson ernest escape esther estrella eternal eternity eugene eureka europa europe evelyn everest everett everton
excalibu exigen exigent exodus explorer express extreme fabian fabie fabric faith falcon falcons fallen fallout family famous fantasy farley farmer farscape farside fashion fastball faster
fatcat father fatima feather february federico felicia felipe felix female fender fergie fernand fernando ferrari ferret ferris fester fghtkm fgtkmcby fiesta figaro fight fighter filter
finance finger fingers finish fireball firebird firefly firefox fireman first fisher fishes fishing fitness fktrcfylh fktrcfylhf fktrctq flames flamingo flash flatron fletch fletcher
flexible flight flipper floppy florence florian florida flounder flower flowers floyd fluffy flyboy flyers flying focus foobar footbal football fordf150 forest forever forfun forget forgot
formula formula1 forrest fortuna fortune forum forward foryou fossil foster fountain fowler foxtrot france frances francesc francis franco francois frank frankie franklin franky fraser freak
freaks freaky freckles freddie freddy frederic fredfred freedom freeman freeuser freeway freeze french fresh friday friend friendly friends fright frisco frisky fritz frogger froggy front242
frontier frosty frozen fubar fugazi fulham function funny funtime fusion futbol future fuzzy fyfcnfcbz fylhtq fytxrf fyutkbyf gabrie gabriel gabriela gabriell gadget galaxy galina galore
gambit gamecube gameover games gandalf gangsta gangster garage garbage garcia garden garfield gargoyle garrett gaston gateway gator gatorade gators gawker gbpltw gegcbr geheim gemini general
generic genesis geneva genius geoffrey george georgia gerald gerard german germany geronimo gesperrt getmoney getsome gfhjkm gfhjkmgfhjkm ghbdtn ghbdtnbr ghblehjr ghetto ghjcnj ghjcnjnfr
ghost ghostrider giant giants gibson gilbert gillian ginger giorgi giorgio giovanni girls giuseppe gizmo gizmodo gjkbyf gladiator global gloria glory gmoney gn56gn56 goalie goaway goblin
goblue gobucks goddess godfathe godfather godsmack godzilla gofish goforit goldberg golden goldfish goldie goldstar goldwing golfball golfer golfgolf golfing goliath gollum gonavy gonzo
goober goodboy goodbye goodluck goodman goodtime goofy google gooner goose gopher gordon gorilla gotcha gothic gotohell govols grace gracie graham grandma granny grant graphics grateful
grease great greatone greece green greenbay greenday greene greens gregor gregory gremlin grendel gretchen gretzky griffey griffin gringo grizzly gromit groove groovy groucho grover grumpy
guang guardian guest guestguest guiness guinness guitar gundam gunnar gunner gunners gunther gustav hacked hacker hailey hairy halflife halifax hallo hambone hamburg hamilton hamish hamlet
hammer hammers hampton hamster handsome handyman hanna hannah hannibal hansen hansolo happy happyday harley harmony harold harper harris harrison harry harvard harvey haslo12345 hassan
hastings havefun hawaii hawaiian hawkeye hawkeyes hayabusa hayden hayley health heart hearts heater heather heaven heckfy hector hedgehog heidi heineken helen helena helene hellfire hello
helloo hellos hellyeah helmet helpme hendrix henry herbert herbie hercules heritage herman hermes hershey hesoyam heynow hidden higgins highland hillary hilton hiphop hippie history hithere
hitman hjvfirf hobbes hobbit hockey hokies holden holiday holland hollow holly hollywoo hollywood holmes homeboy homer homerj homers homerun honda hondas honey hongkong hooper hoosier
hoosiers hootie hoover hopeful hopeless hopper horizon horndog hornet horney horse horses hotbox hotboy hotdog hotred hotshot hotstuff hottie house houses houston hover howard huang hubert
hudson hughes hummer hungry hunter hunting hurley hurrican husker huskers huskies hyperion iamgod ibanez iceberg icecream iceman idiot idontkno idontknow iforgot iguana ihateyou illini
illinois illusion iloveu iloveyo iloveyou imagine immortal impala imperial incubus india indian indiana indians indigo infantry inferno infiniti infinity ingrid insane insert inside insomnia
integra intel internet intrepid intruder inuyasha invoice iomega ipswich ireland irina irish ironman isabel isabella isabelle isaiah iscool island israel istanbul italia italian ivanov
ivanova iverson iwantu jabroni jackal jackie jackoff jackpot jackson jacob jacques jagger jaguar jamaica james jamesbon jamesbond jameson jamie jammer jammin janet janice janine january
japan japanese jarhead jasmin jasmine jason jasper javier jaybird jayden jayhawk jayhawks jayson jazzman jeanette jeanne jeffery jeffrey jelly jenkins jenna jennie jennifer jenny jensen
jeremiah jeremy jericho jerkoff jerome jerry jersey jesse jessic jessica jessie jester jethro jetski jewels jiang jillian jimbo jimbob jimmie jimmy jiong jktymrf joanna joanne jockey joejoe
johann johanna johannes johnboy johnjohn johnny joker jokers jonathan jones jorda jordan joseph joshua journey jrcfyf judith juggalo juice julia julian julie juliet juliette julius jumper
junebug jungle junior jupiter just4fun justdoit justice justin justine justme juventus kahuna kaiser kaitlyn kakashka kaktus kamikaze kangaroo kansas karate karen karin karina karma karolina
kashmir kasper katana katerina katherin katherine kathleen kathryn kathy katie katrin katrina kawasaki kayla kaylee kcj9wx5n keegan keeper keith keller kelley kelly kelsey kendall kendra
kennedy kenneth kenny kenshin kentucky kenwood kenworth kermit kevin keyboard keystone keywest kicker kilroy kimber kimberly kinder kingdom kingfish kingkong kingpin kingston kinky kipper
kirill kirsten kisses kissing kissme kitkat kitten kitty kittycat kittykat klaster kleopatra klingon knickers knicks knight knights knockers knopka kodiak kolobok koshka kosmos kostya kotaku
kotenok kramer krishna krista kristen kristi kristin kristina kristine kristy krystal ktyjxrf kungfu labrador labtec lacrosse ladies ladybug laguna lakers lakota lambert lamont lance
lancelot lancer lansing laptop larisa larry laser lassie lasvegas latin latinas latino laura laurel lauren laurence laurent laurie lawrence lawyer lazarus leader leanne leather leavemealone
ledzep legacy legend legion legolas lemon lemons lennon leonard leonardo leonid leopard lesley leslie lespaul lestat lester letmein letmeinplease letsgo letter lewis lexmark lexus liang
liberty library licker licking lickit lickme lifehack lifetime light lighter lightnin lightning lights lillian lilly lincoln linda lindsay lindsey lineage2 lionel lionking lions lipstick
liquid lisalisa little liverpoo liverpool lizard lizzie loaded lobster logan logitech lokomotiv lolipop lolita lollipop lollol london lonely lonestar lonewolf longhorn looker looking looney
looser lorenzo lorraine loser losers lotus louis louise loulou loveit loveless lovelove lovely loveme loveyou loving lowrider ltybcrf lucas lucifer lucille lucky luckydog ludmila ludwig
luther lvbnhbq macdaddy machine macross madden maddie maddog madeline madina madison madman madmax madness madonna madrid maestro magazine maggie maggot magic magical magician magick
magicman magnolia magnum magnus magpie maiden mailcreated5240 mailman majestic makaveli maksim malaka malcolm malibu malina mallard malone mamapapa manager manchest manchester mancity
mandarin mandingo mandy mango maniac manning manowar manson mantis manuel manuela manutd maradona marathon marcel march marcia marco marcos marcus margaret margarita maria mariah marian
marianne marie marika marilyn marin marina marine mariners marines marino mario marion marisa marissa marius marker market marketing markus marlboro marlene marley marlin marsha marshall
martha martin martina martine martinez martini marvel marvin maryann maryjane maryland mason massage massimo massive maste master masters matador mathew matilda matrix matteo matthew
matthews mattie mature maureen maurice maverick maxell maxim maxima maxime maximum maximus maxine maxmax maxwell mayday mayhem maynard mazafaka mazda mclaren meatball meathead meatloaf
mechanic media medical medicine medusa megadeth megaman megan megatron meghan meister melanie melinda melissa mellon mellow melody melvin member memorex memory memphis menace meowmeow
mephisto mercedes mercury meredith meridian merlin merlot mermaid mersedes metal metallic metallica method mexico miami michae michael michaela micheal michel michele michell michelle
michigan mickey microlab micron microphone microsof microsoft midget midnight midway mighty miguel mikemike mikey milana milano milena miles military milkman miller millie million millions
millwall milton minecraft minime minnie miracle mirage miranda miriam mirror misery misfit misfits misha mishka mission missouri missy mister misty mitch mitchell mittens mobile models
modena mohamed mohammed mollie molly mollydog moloko molson mommy momoney monaco monalisa monarch monday mondeo money moneyman moneys mongoose monica monika monique monitor monke monkey
monkeys monopoly monroe monster montana monte montgom240 montreal monty moocow mookie moomoo moonlight moose morgan moritz morning morpheus morris morrison mortgage mortimer moscow
motdepasse mother motherlode motley motorola mountain mouse movie movies mozart muffin mulder mullet multiplelo munchkin muppet murder murphy murray musashi muscle mushroom music musica
musicman mustafa mustang mustangs mustard mybaby mylife mylove myname mypassword mysecret myself mystery mystic nadine nancy nanook napoleon napoli napster naruto nascar nasty nastya natali
natalia natalie natasha nathalie nathan national natural nature naughty ncc1701a ncc1701d ncc1701e nebraska nellie nelson nemesis neptune netscape network nevada newbie newcastl newlife
newman newpass6 newpassword newport newton newyork nfnmzyf nguyen nicholas nickel nicol nicola nicolas nicole night nightmare nikita nikitos nikki nikola nikolay nimbus niners ninja ninjas
nintendo nipper nirvana nissan nitram nobody noelle nofear nokia nolimit nomore noodle noodles nookie nopassword norman northern norton norway nothing novell november ntktajy nudist nugget
nuggets number nuttertools nwo4life nyjets nylons nymets oakland oakley oasis obelix obiwan oblivion ocean oceans october odessa office ohyeah oilers oklahoma oksana oldman oldpassword
oliver olivia olivier omega onelove onetime online onlyme openup operator optimus oracle orange oranges orchid oregon original orioles orion orlando oscar osiris othello outkast outlaw
overlord oxford p0015123 pa55w0rd pa55word pablo pacers pacific packard packer packers pacman paddle padres paint paintbal paintball painter pakistan palace paladin palmer paloma pamela
panama panasoni panasonic pancho panda pandora pantera panther panthers pants pantyhos panzer paper paradise paradox paranoid paris parker parola parrot partner party pascal pass1234
pass12345 passat passion passme passport passw passw0rd passwd passwor password passwords passwort pasword patches patience patric patricia patrick patriot patriots patton patty paula
pauline pavilion pavlov payment payments paypal payton pdtplf peace peach peaches peanut peanuts pearl pearljam pebbles pedro peekaboo peewee pegasus pencil penelope penguin penguins penny
penthous pentium people pepper pepsi perfect persik person personal pervert petra petrov peugeot peyton phantom pheonix philip philippe philips phillies phillip phillips philly phish phoebe
phoeni phoenix phone photo photos phpbb piano pianoman picard picasso piccolo pickle pickles pickup picture pierce pierre piglet pikachu pillow pilot pineappl pingpong pinhead pinkfloy
pinkfloyd pinky pioneer piper pippen pippin piramida pirate pirates pisces pistol pitbull pizza pizzas planet plasma plastic platinum player playing playstation playtime please pleasure
plumber plymouth pobeda poetry poison pokemon poker poland polaris police polina polly polniypizdec0211 polska pompey poncho pontiac poochie poodle poohbear pookie poontang pooper poopie
poopoo pooppoop pooter popcorn popeye poppy porkchop porsche porter portland portugal poseidon positive possum postal potato pothead potter powder powell power powers preacher precious
predator prelude premier presario presto preston pretty primus prince princes princess pringles printer prissy private privet profit promise property prophet proxy psycho public puddin
pudding pulsar pumpkin punisher punkin punkrock puppies puppy pupsik purdue purple putter pyramid python q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 q2w3e4r5 qawsed qawsedrf qazqaz qazwsx qazwsxed
qazwsxedc qazwsxedcrfv qazxsw qazxswedc qazzaq qiang qiong quality quantum quartz quattro queen queens quest quincy qwaszx qweasd qweasdzxc qweqwe qwer1234 qwerasdf qwert qwerty qwertyu
qwertyui qwertyuio qwertyuiop qwertzuiop r2d2c3po rabbit rabota racecar racer racerx rachael rachel racing radio radiohea rafael ragnarok raider raiders railroad rainbow rainman raistlin
ralph rambler rambo rammstein ramona ramones ramses rancid randall random randy ranger rangers raptor raquel rascal rasputin rasta rastaman raven ravens raymond rbhbkk rctybz reader reading
ready reagan reality really realmadrid reaper rebecca rebel rebels reckless records recovery redalert redbird redbull reddog redfish redhead redhot redline redman redrum redskins redsox
redwing redwings redwood reebok reefer referral referrals reggie regina register remember remote renata renault renee renegade rereirf rescue research resident respect retard retired revenge
review reynolds rfhbyf rfnthbyf rfrfirf rfrnec rhbcnbyf rhfcjnrf rhiannon rhino rhonda rhtdtlrj ricardo richie richmond ricky rider rightnow riley ripken ripley ripper ripple river rivers
rjirfrgbde rjntyjr rjycnfynby roadking roadrunn robbie robert roberta roberto roberts robin robinson robotech rochelle rocker rocket rockets rockford rockon rocks rockstar rocky roger rogers
roland roller rolling rolltide roman romance romashka romeo romero rommel ronald ronaldo ronnie rookie rooney rooster rootbeer rootroot roscoe rosebud rosemary rosie rotten rover rovers
roxanne royal royals rtyuehe rubber rufus rugby rules rulez rulezzz runescape runner running rupert rush2112 ruslan russell russia russian rustam rusty sabbath sabina sabine sabres sabrina
sacred sadie safari safety sahara sailboat sailing sailor saint saints sakura salamander salasana saleen sally salmon salomon salsero salvador samantha samara samiam sammie sammy sampson
samson samsung samtron samuel samurai sanchez sancho sander sanders sandiego sandman sandra sandro sandwich sandy sanfran santana santiago santos sapper sapphire sarah saratoga sascha sasha
sassy sasuke satan satana saturday saturn sauron sausage savage savannah sayang scania scanner scarface scarlet scarlett school science scooby scoobydo scooter scorpio scorpion scotch
scotland scott scottie scotty scout scrappy scratch scream screen scruffy scuba scully seahawks seamus searay search seattle second secret secrets secure security seeker seeking seinfeld
select selena seminole semperfi senha123 senior sentinel septembe september serega serena serenity sergeant sergei sergey sergi sergio sersolution server service sesame seven shado shadow
shadows shaggy shalom shaman shamrock shane shaney14 shang shanghai shania shannon shaolin shark sharks sharky sharon shasta shaved shawn shazam shearer sheba sheena sheila shelby shell
shelley shelly shemale sheng shepherd sheriff sherlock sherman sherri sherry sherwood shiloh shiner shirley shogun shopify shopping short shorty shotgun showme showtime shuai shuang shutup
sidney siemens sierra silence silent silly silver silverad silvia simba simon simona simone simple simpson simpsons sinatra sinbad sinclair singer single sinister sinner sirius sister
sithlord sixers skate skater skeeter skidoo skiing skinny skipper skippy skittles skorpion skydive skylar skyler skyline skywalke skywalker slacker slapper slappy slapshot slavik slayer
sleeper sleepy slick slider slinky slipknot slippery small smashing smeghead smegma smelly smile smiles smiley smith smiths smitty smoke smoker smokes smokey smokie smokin smoking smooth
smudge snake snakes snapon snapper snapple snatch sneakers snickers sniper snooker snoop snoopdog snoopy snowball snowboar snowman snuffy snuggles sobaka soccer socrates softball software
sojdlg123aljg soldier soleil solnce solomon solution somethin something sommer sonic sonics sonny sonoma sooner sooners sophi sophia sophie soso123aljg soulmate sound southern southpar
southpark space spaceman spanish sparkle sparks sparky sparrow sparta spartak spartan spartans spawn speaker spears special specialk spectre spectrum speed speedo speedy spencer sphinx spice
spider spiderma spiderman spidey spike spinner spirit spitfire splash splinter sponge spongebob spooky sport sporting sports spread spring springer sprint sprite spunky spurs sputnik spyder
squall squash squirrel srinivas stacey stacy stalin stalker stallion standard stanford stanley staples starbuck starcraf starcraft stardust starfire starfish stargate starman stars starship
start starter startrek starwars static station stealth steam steel steele steeler steelers stefan stefano stella steph stephani stephanie stephen stereo sterlin sterling steve steven stevens
stevie stewart stick sticks sticky stimpy sting stinger stingray stinky stocking stocks stolen stone stonecol stonecold stoned stoner stones stoney stories storm stormy strange stranger
street strength stretch strider strike striker stripe stroke strong stuart stuff stumpy stunner stupid subaru sublime submit subway subzero success sugar sullivan sultan summer summit
sundance sunday sunflowe sunflower sunny sunnyday sunrise sunset sunshin sunshine super superfly superman supersta superstar support supreme surfer surfing susan susana susanne suzanne
suzuki sveta svetik svetlana svoboda swallow sweden sweet sweetie sweetpea sweets sweety swimmer swimming sword swordfis swordfish swords sydney sylvia syncmaster syracuse system syzygy
tabitha tacobell tacoma talisman talon tamara tammy tango tanker tanner tanya tardis target tarheel tarheels tarzan tasha tatiana tattoo tatyana taurus taxman taylor tazman tazmania tdutybq
tdutybz teacher technics techno teddy teddybea teddybear teens tekken telefon telephon tempest templar temple temporary temppass tennis tequila teresa terminal terminator terrapin terror
terry test1234 tester testing testtest texas thailand thanatos thanks thankyou theater theboss thecat thedog thedoors thedude theend thegame thegreat thekid theking theman theodore theone
theresa therock thesims thing thirteen thisismypassword thoma thomas thompson three throat thuglife thumbs thumper thunder thunderb thursday tiberius tiburon ticket tickle tiffany tiger
tigers tigger tight tights timber timmy timothy tinker tinkerbell tinman tintin titanic titanium titans titleist tobias today together toledo tolkien tomato tomcat tommy tommyboy tomorrow
tomtom tongue toolman toortoor tootsie topcat topdog topgun topher topper topsecret tornado toronto torres toshiba tottenha tottenham toyota tracey tracker tractor tracy trader traffic train
trainer trains trance transam translator trapper travel traveler travis treasure trebor trevor trfnthbyf trial triangle tricia tricky trident trigger trinidad trinity triple tripod trisha
tristan triton triumph trixie trojan trojans trombone trooper trouble trout truck trucker trucks truelove truman trumpet trunks trustno1 tsunami tucker tuesday tulips tunafish tundra turbo
turkey turner turtle tweety twenty twilight twinkle twins twisted twister tyler typhoon tyrone tyson ufkbyf ultima ultimate umbrella underdog undertaker unicorn unique united universal
universe unknown unreal usarmy usnavy utopia vacation vader vadim valencia valentin valentina valera valeri valeria valerie valhalla valkyrie valley vampire vampires vanessa vanhalen vanilla
vasilisa vector vectra vedder vegas vegeta velvet venera venice ventura venus verbatim veritas vermont vernon verona veronica veronika vertigo vette vfczyz vfhbyf vfhecz vfhufhbnf vfksirf
vfrcbv vfrcbvrf vfvekz vfvfgfgf vfvjxrf viagra victor victoria victory video vietnam viewsonic viking vikings viktor viktoria village vincent vinnie violet violetta viper vipers virtual
vision vitalik vivian vkontakte vladik vladimir vladislav volley volume volvo voodoo vortex voyager voyeur vsjasnel12 vulcan wachtwoord wagner walker wallace walleye wally walmart walnut
walrus walter wapbbs warcraft wareagle warhammer warlock warlord warner warning warren warrior warriors warthog washington wasser wassup watcher water waterloo waters watson wayne weasel
weather weaver webmaste webmaster webster wedding wednesday weezer welcome welcometo welder wendy werewolf werner wesley western westham westside westwood whatever whatsup wheels whiskers
whiskey whisky whisper white whitesox whitey whitney whocares whynot wibble wicked wilbur wildcard wildcat wildcats wildfire wildman willia william williams willie willis willow willy wilson
window windows windsor wings winner winnie winston winter wisdom wishbone wizard wolfgang wolfie wolfman wolfpack wolverin wolverine wolves woman wombat women wonder woofwoof woohoo wookie
working world wraith wrangler wrestle wrestlin wrestling wright wrinkle1 writer wutang xanadu xander xavier xerxes xfiles xiang xiong xtreme yamaha yankee yankees ybrbnf ybrjkfq yeahbaby
yellow yfcntymrf yfnfif yfnfkmz yolanda yomama yosemite young yourmom yourpassword yummy yvonne yzerman z1x2c3v4 zachary zaphod zappa zaq12wsx zaq1xsw2 zaqwsx zaqxsw zaraza zenith zeppelin
zerocool zheng zhong zhuai zhuang zidane ziggy zigzag zipper zippy zombie zorro zvezda zxasqw12 zxcasd zxcasdqwe zxcv1234 zxcvbn zxcvbnm zxcvbnm123
`;
