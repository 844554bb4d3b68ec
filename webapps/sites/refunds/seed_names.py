"""Names of people, places and articles for the seed data."""

PEOPLE = (
    "Alice Thornbury", "Benedict Shaw", "Carla Moretti", "Dominic Achebe", "Elin Sjöberg",
    "Farah Siddiqui", "Gareth Pryce", "Helena Novak", "Imran Chaudhry", "Joanna Whitlock",
    "Kwame Mensah", "Lucy Ferrars", "Magnus Dahl", "Nadia Haddad", "Oliver Penhaligon",
    "Petra Kovacs", "Quentin Marsh", "Rosa Delgado", "Samuel Iyer", "Tessa Blackwood",
    "Umar Farooq", "Verity Holloway", "William Ashdown", "Xenia Petrou", "Yusuf Demir",
    "Zara Whitcombe", "Callum Reid", "Maeve O'Sullivan", "Hugo Lambert", "Ingrid Bauer",
    "Theo Vassallo", "Grace Adeyemi", "Stanley Firth", "Noor Rahman", "Edith Cartwright",
    "Pavel Svoboda",
)  # fmt: skip
CITIES = ("Leeds", "York", "Harrogate", "Sheffield", "Durham", "Manchester", "Lincoln")
ARTICLES = (
    ("Enamel kettle Sorrel, 1.7 l", 4250),
    ("Wool throw Birk, charcoal", 6900),
    ("Shelf Tove, walnut", 7950),
    ("Linen duvet cover Saltburn, double", 11800),
    ("Cast-iron pan Holm, 28 cm", 5495),
    ("Table lamp Fenn, brass", 8900),
    ("Stoneware set Whitby, 16 pieces", 12400),
    ("Dining chair Askrigg, ash", 13900),
    ("Storage basket Rye, set of three", 3650),
    ("Bath towel Nidd, pack of four", 4400),
    ("Wall clock Elsecar", 5250),
    ("Rug Malham, 160 × 230", 24900),
    ("Chopping board Eller, oak", 2995),
    ("Carafe Dart with four glasses", 3880),
    ("Mirror Keld, round", 9750),
    ("Coat rack Ogden, beech", 6475),
    ("Espresso maker Tarn, 6 cups", 3150),
)
